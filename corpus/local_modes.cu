// The most frequent of 64 levels along each row of bytes: a thread has a row, and counts in bytes of its own.
// ```toml
// kernel = "local_modes"
// arg = [
//   { name = "x", type = "u8", count = "n*m", fill = "index(256)" },
//   { name = "o", type = "i32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [100, 1, 65, 33], large = 262144 }
// m = { small = [70, 1, 0, 200], large = 128 }
// [launch]
// blocks = [[128, 1, 1], [256, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "n*m + 4*n"
// ```
__global__ void local_modes(const unsigned char *x, int *o, int n, int m)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    unsigned char count[64] = {0};
    for (int k = 0; k < m; k++)
        count[x[k * n + row] >> 2]++;
    int best = 0;
    for (int k = 1; k < 64; k++)
        if (count[k] > count[best])
            best = k;
    o[row] = best;
}
