// Sums of a few long rows of integers, added to what is there.
// ```toml
// kernel = "row_sum_int"
// arg = [
//   { name = "x", type = "i32", count = "m*n", fill = "uniform(-2000000000,2000000000)" },
//   { name = "s", type = "i32", count = "m", fill = "index(1000)", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [130, 65, 1, 3], large = 1024 }
// n = { small = [77, 64, 31, 0], large = 32768 }
// [launch]
// blocks = [[256, 1, 1], [128, 1, 1], [33, 1, 1], [12, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "4*m*n"
// rows = [
//   { class = "large", blocks = [[256, 1, 1], [64, 1, 1]] },
//   { class = "odd", at = { m = 333, n = 100001 }, blocks = [[128, 1, 1]] },
// ]
// ```
__global__ void row_sum_int(const int *x, int *s, int m, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m) {
        int sum = s[row];
        for (int k = 0; k < n; k++)
            sum += x[row * n + k];
        s[row] = sum;
    }
}
