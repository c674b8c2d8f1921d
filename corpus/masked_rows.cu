// Sums of the columns of each row that a mask keeps: a thread walks along a row, so that neighbours read what lies far apart.
// ```toml
// kernel = "masked_rows"
// arg = [
//   { name = "a", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "keep", type = "u8", count = "n", fill = "index(2)" },
//   { name = "y", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [100, 37, 1, 0, 64], large = 4096 }
// m = { small = [300, 70, 1, 5, 64], large = 16384 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// a = "staged"
// [bench]
// bytes = "4*n*m + n + 4*m"
// flops = "n*m"
// ```
__global__ void masked_rows(const float *a, const unsigned char *keep, float *y, int n, int m)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m)
        return;
    float s = 0;
    for (int k = 0; k < n; k++)
        if (keep[k])
            s += a[row * n + k];
    y[row] = s;
}
