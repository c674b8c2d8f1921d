// The papers' row-by-row product: one launch makes one row of C, all threads share the row of A.
// ```toml
// kernel = "mm_rows"
// arg = [
//   { name = "a", type = "i32", count = "n", fill = "index(100)" },
//   { name = "b", type = "i32", count = "n*n", fill = "index(100)" },
//   { name = "c", type = "i32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [130, 64, 1, 0], large = 8192 }
// [launch]
// blocks = [[512, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// a = "staged"
// c = "OnlyStored"
// [bench]
// bytes = "4*n*n"
// flops = "2*n*n"
// ```
__global__ void mm_rows(const int *a, const int *b, int *c, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        int sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[k] * b[id + k * n];
        c[id] = sum;
    }
}
