// Two matrices times one vector, both walked by rows, both sums kept in memory.
// ```toml
// kernel = "mv_two"
// arg = [
//   { name = "A", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "s", type = "f32", count = "m", fill = "uniform(-1,1)", output = true },
//   { name = "t", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [200, 65, 1, 0], large = 8192 }
// n = { small = [37, 64, 3, 1], large = 4096 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// A = "staged"
// B = "staged"
// x = "staged"
// [bench]
// bytes = "8*m*n"
// flops = "4*m*n"
// ```
__global__ void mv_two(const float *A, const float *B, const float *x, float *s, float *t, int m,
                       int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) {
        for (int j = 0; j < n; j++) {
            s[i] += A[i * n + j] * x[j];
            t[i] += B[i * n + j] * x[j];
        }
    }
}
