// Least and greatest element of each row, and all of them as one word, backwards.
// ```toml
// kernel = "row_extremes"
// arg = [
//   { name = "x", type = "i32", count = "m*n", fill = "uniform(-2000000000,2000000000)" },
//   { name = "least", type = "i32", count = "m", fill = "zero", output = true },
//   { name = "most", type = "i32", count = "m", fill = "zero", output = true },
//   { name = "word", type = "u32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
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
__global__ void row_extremes(const int *x, int *least, int *most, unsigned *word, int m, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m) {
        int low = x[row * n], high = low;
        unsigned all = 0;
        for (int k = n - 1; k >= 0; k--) {
            int v = x[row * n + k];
            low = v < low ? v : low;
            high = v > high ? v : high;
            all ^= v;
        }
        least[row] = low;
        most[row] = high;
        word[row] = all;
    }
}
