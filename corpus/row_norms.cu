// Squares of bytes of each row by a loop of the grid's size, what they make together, and the mean of what is above a limit: two loops.
// ```toml
// kernel = "row_norms"
// arg = [
//   { name = "x", type = "u8", count = "m*n", fill = "uniform(0,255)" },
//   { name = "norm", type = "u32", count = "m", fill = "zero", output = true },
//   { name = "mean", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "all", type = "u64", count = "1", fill = "zero", output = true },
//   { name = "m", type = "u32", value = "m" },
//   { name = "n", type = "u32", value = "n" },
//   { name = "g", type = "i32", value = "g" },
// ]
// [sizes]
// m = { small = [130, 65, 1, 3], large = 8192 }
// n = { small = [77, 64, 33, 0], large = 8192 }
// g = { small = [1, 2, 3, 1], large = 32 }
// [launch]
// blocks = [[256, 1, 1], [128, 1, 1], [33, 1, 1], [12, 1, 1]]
// grid = ["g", "1", "1"]
// [bench]
// bytes = "2*m*n"
// ```
__global__ void row_norms(const unsigned char *x, unsigned *norm, float *mean, unsigned long long *all, unsigned m, unsigned n, int g)
{
    for (unsigned row = blockIdx.x * blockDim.x + threadIdx.x; row < m; row += gridDim.x * blockDim.x) {
        unsigned sum = 0;
        for (unsigned k = 0; k < n; k++)
            sum += x[row * n + k] * x[row * n + k];
        unsigned above = 0, count = 0;
        for (int k = 0; k + 1 < (int)n; k += 2) {
            if (x[row * n + k] > 100) {
                above += x[row * n + k + 1];
                count++;
            }
        }
        norm[row] = sum;
        mean[row] = count ? (float)above / count : 0.0f;
        atomicAdd(all, (unsigned long long)sum);
    }
}
