// Sums of what a mask selects of a vector, weighted by how far it is: every thread walks over all of it, and reads an element where its mask is set.
// ```toml
// kernel = "masked_sum"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "mask", type = "i32", count = "n", fill = "index(2)" },
//   { name = "at", type = "f32", count = "m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [1000, 37, 1, 0, 64], large = 32768 }
// m = { small = [300, 70, 1, 5, 64], large = 65536 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// mask = "staged"
// [bench]
// bytes = "8*n + 8*m"
// flops = "3*n*m"
// ```
__global__ void masked_sum(const float *x, const int *mask, const float *at, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    float place = at[i], s = 0;
    for (int k = 0; k < n; k++)
        if (mask[k])
            s += fabsf(x[k] - place);
    y[i] = s;
}
