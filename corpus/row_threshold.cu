// Bytes of rows, several rows to a block, with ways that part: a number of 64 bits counts, and threads of no row leave early.
// ```toml
// kernel = "row_threshold"
// arg = [
//   { name = "a", type = "u8", count = "rows*n", fill = "uniform(0,255)" },
//   { name = "o", type = "u8", count = "rows*n", fill = "zero", output = true },
//   { name = "level", type = "i32", value = "100" },
//   { name = "n", type = "i64", value = "n" },
//   { name = "rows", type = "i32", value = "rows" },
// ]
// [sizes]
// rows = { small = [13, 8, 1, 2], large = 4096 }
// n = { small = [304, 77, 1, 0], large = 4096 }
// [launch]
// blocks = [[32, 8, 1], [128, 2, 1], [7, 3, 1]]
// grid = ["(rows + by - 1) / by", "1", "1"]
// [bench]
// bytes = "2*rows*n"
// flops = "3*rows*n"
// rows = [
//   { class = "odd", at = { rows = 4096, n = 5137 } },
// ]
// ```
__global__ void row_threshold(const unsigned char *a, unsigned char *o, int level, long long n, int rows)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    for (long long i = threadIdx.x; i < n; i += blockDim.x) {
        int v = a[row * n + i];
        if (v > level)
            v = v * v / 255;
        else if (v > level / 2)
            v = v / 3 + level;
        o[row * n + i] = v;
    }
}
