// How often each row holds a value, and all that it holds besides, as bits; 64-bit ids and counts.
// ```toml
// kernel = "row_count"
// arg = [
//   { name = "x", type = "u32", count = "m*n", fill = "index(5)" },
//   { name = "count", type = "u64", count = "m", fill = "index(9)", output = true },
//   { name = "rest", type = "u32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "u64", value = "m" },
//   { name = "n", type = "u64", value = "n" },
//   { name = "v", type = "u32", value = "3" },
// ]
// [sizes]
// m = { small = [130, 65, 1, 3], large = 2048 }
// n = { small = [77, 64, 33, 0], large = 16384 }
// [launch]
// blocks = [[256, 1, 1], [128, 1, 1], [33, 1, 1], [12, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "4*m*n"
// ```
__global__ void row_count(const unsigned *x, unsigned long long *count, unsigned *rest, size_t m, size_t n, unsigned v)
{
    size_t row = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (row < m) {
        unsigned long long found = 0;
        unsigned bits = 0;
        for (size_t k = 0; k < n; k++) {
            if (x[row * n + k] == v)
                found++;
            else
                bits |= 1u << x[row * n + k];
        }
        count[row] += found;
        rest[row] = bits;
    }
}
