// Largest element of each row and where it is, a row per thread, unsigned index.
// ```toml
// kernel = "row_max"
// arg = [
//   { name = "x", type = "i32", count = "m*n", fill = "index(1000)" },
//   { name = "value", type = "i32", count = "m", fill = "zero", output = true },
//   { name = "where", type = "u32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "u32", value = "m" },
//   { name = "n", type = "u32", value = "n" },
// ]
// [sizes]
// m = { small = [300, 65, 1, 0], large = 16384 }
// n = { small = [37, 32, 3, 0], large = 4096 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// value = "OnlyStored"
// where = "OnlyStored"
// [bench]
// bytes = "4*m*n"
// ```
__global__ void row_max(const int *x, int *value, unsigned *where, unsigned m, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) {
        int best = -1;
        unsigned at = 0;
        for (unsigned j = 0; j < n; j++) {
            int v = x[i * n + j];
            if (v > best) {
                best = v;
                at = j;
            }
        }
        value[i] = best;
        where[i] = at;
    }
}
