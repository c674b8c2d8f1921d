// A recurrence along each row, in place: element j is made from j - 1.
// ```toml
// kernel = "row_scan"
// arg = [
//   { name = "x", type = "f32", count = "m*n", fill = "uniform(-1,1)", output = true },
//   { name = "a", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [200, 65, 1, 0], large = 8192 }
// n = { small = [37, 32, 2, 1], large = 4096 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// a = "staged"
// x = "staged"
// [bench]
// bytes = "12*m*n"
// flops = "2*m*n"
// ```
__global__ void row_scan(float *x, const float *a, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m)
        for (int j = 1; j < n; j++)
            x[i * n + j] = x[i * n + j] - x[i * n + j - 1] * a[i * n + j];
}
