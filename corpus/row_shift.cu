// Rows that move up in place by as many cells as a block has threads: each thread meets its own cells again, and no other's.
// ```toml
// kernel = "row_shift"
// arg = [
//   { name = "x", type = "f32", count = "rows*(n + 64)", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "by", type = "i32", value = "64" },
// ]
// [sizes]
// rows = { small = [3, 2, 1], large = 4096 }
// n = { small = [320, 203, 7], large = 4096 }
// [launch]
// blocks = [[64, 1, 1]]
// grid = ["rows", "1", "1"]
// [bench]
// bytes = "8*rows*n"
// flops = "2*rows*n"
// ```
__global__ void row_shift(float *x, int n, int by)
{
    float *row = x + blockIdx.x * (n + by);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        row[i] = 0.5f * row[i + by] + 1;
}
