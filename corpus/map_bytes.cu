// Bytes of an image made darker, a thread for each, by a table of one number; no restrict.
// ```toml
// kernel = "map_bytes"
// arg = [
//   { name = "a", type = "u8", count = "n + 16", fill = "uniform(0,255)" },
//   { name = "o", type = "u8", count = "n + 16", fill = "zero", output = true },
//   { name = "level", type = "i32", value = "3" },
//   { name = "from", type = "i32", value = "from" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [5000, 4096, 203, 1, 0], large = 67108864 }
// from = { small = [0, 0, 3, 1, 0], large = 0 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "2*n"
// flops = "2*n"
// rows = [
//   { class = "l2", at = { n = 4194304 } },
//   { class = "odd", at = { n = 67108861, from = 1 } },
// ]
// ```
__global__ void map_bytes(const unsigned char *a, unsigned char *o, int level, int from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = a[from + i] - level;
        o[from + i] = v < 0 ? 0 : v;
    }
}
