// A sum over the part of a series that is known: what lies before and behind it is no memory of the array's, and nobody reads it.
// ```toml
// kernel = "known_part"
// arg = [
//   { name = "x", type = "f32", count = "known", fill = "uniform(-1,1)" },
//   { name = "order", type = "i32", count = "n", fill = "iota" },
//   { name = "y", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "skip", type = "i32", value = "skip" },
//   { name = "known", type = "i32", value = "known" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [100, 100, 100, 64, 64, 64, 1], large = 32768 }
// skip = { small = [0, 0, 1, 0, 5, 0, 0], large = 0 }
// known = { small = [100, 99, 99, 64, 59, 64, 1], large = 32768 }
// m = { small = [300, 300, 300, 70, 64, 64, 1], large = 65536 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// order = "staged"
// [bench]
// bytes = "8*n + 4*m"
// flops = "n*m"
// ```
__global__ void known_part(const float *x, const int *order, float *y, int n, int skip, int known, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    float s = 0;
    for (int k = 0; k < n; k++)
        if (order[k] >= skip && order[k] < skip + known)
            s += x[k - skip] * i;
    y[i] = s;
}
