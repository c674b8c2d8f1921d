// Each row smoothed by its neighbours; in place, or with results that run into the row being read.
// ```toml
// kernel = "row_smooth"
// arg = [
//   { name = "x", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// alias = [
//   { arg = "y", of = "x", offset = "0" },
//   # One row: the first result is the last element read. More rows: behind all of them.
//   { arg = "y", of = "x", offset = "max(2-m,0)*max(n-2,0) + min(m-1,1)*m*n" },
// ]
// [sizes]
// m = { small = [200, 65, 1, 0], large = 16384 }
// n = { small = [37, 32, 17, 3], large = 2048 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*m*n"
// flops = "5*m*n"
// ```
__global__ void row_smooth(const float *x, float *y, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m)
        for (int j = 0; j < n - 2; j++)
            y[i * n + j + 1] = 0.25f * x[i * n + j] + 0.5f * x[i * n + j + 1] + 0.25f * x[i * n + j + 2];
}
