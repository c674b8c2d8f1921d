// Each row's sum goes behind it, and all of the row, with that, into one word; unsigned.
// ```toml
// kernel = "row_checksum"
// arg = [
//   { name = "x", type = "u32", count = "m*n", fill = "index(1000000)", output = true },
//   { name = "word", type = "u32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "u32", value = "m" },
//   { name = "n", type = "u32", value = "n" },
// ]
// [sizes]
// m = { small = [130, 65, 1, 3], large = 2048 }
// n = { small = [77, 64, 33, 1], large = 16384 }
// [launch]
// blocks = [[256, 1, 1], [128, 1, 1], [33, 1, 1], [12, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "4*m*n"
// ```
__global__ void row_checksum(unsigned *x, unsigned *word, unsigned m, unsigned n)
{
    unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m)
        return;
    unsigned sum = 0;
    for (unsigned k = 0; k < n - 1; k++)
        sum += x[row * n + k];
    x[row * n + n - 1] = sum;
    unsigned all = 0x9e3779b9;
    for (unsigned k = 0; k < n; k++)
        all ^= x[row * n + k] << (k % 5);
    word[row] = all;
}
