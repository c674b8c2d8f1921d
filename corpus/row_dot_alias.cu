// Each thread sums over its own row into a cell of a pitched output. The output may lie inside the
// input: still no race, and the order of the loads then matters.
// ```toml
// kernel = "row_dot_alias"
// arg = [
//   { name = "a", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "s", type = "f32", count = "m*n", fill = "uniform(-1,1)", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// alias = [
//   { arg = "s", of = "a", offset = "0" },
//   { arg = "s", of = "a", offset = "1" },
//   { arg = "s", of = "a", offset = "n-1" },
//   { arg = "s", of = "a", offset = "m*n" },
// ]
// [sizes]
// m = { small = [200, 65, 3, 0], large = 8192 }
// n = { small = [37, 32, 2, 4], large = 2048 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// a = "staged"
// w = "staged"
// [bench]
// bytes = "4*m*n"
// flops = "2*m*n"
// ```
__global__ void row_dot_alias(const float *a, const float *w, float *s, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m)
        for (int k = 0; k < n; k++)
            s[i * n] += a[i * n + k] * w[k];
}
