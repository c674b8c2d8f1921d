// C = alpha A B + beta C with the accumulator kept in global memory and nothing known about aliasing.
// ```toml
// kernel = "mm_alpha_beta"
// arg = [
//   { name = "a", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "c", type = "f32", count = "m*n", fill = "uniform(-1,1)", output = true },
//   { name = "alpha", type = "f32", value = "1.5" },
//   { name = "beta", type = "f32", value = "0.75" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5], large = 2048 }
// n = { small = [29, 16, 1, 0], large = 2048 }
// k = { small = [53, 64, 0, 3], large = 2048 }
// [launch]
// blocks = [[32, 8, 1], [16, 16, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// a = "staged"
// b = "staged"
// [bench]
// bytes = "4*(m*k + k*n + 2*m*n)"
// flops = "2*m*n*k"
// blas = { a = "a", b = "b", c = "c", m = "m", n = "n", k = "k", alpha = 1.5, beta = 0.75 }
// rows = [
//   { class = "large", at = { m = 4096, n = 4096, k = 4096 }, blocks = [[16, 16, 1], [32, 8, 1], [32, 32, 1], [8, 8, 1]] },
//   { class = "l2", at = { m = 512, n = 512, k = 512 }, blocks = [[16, 16, 1]] },
//   { class = "odd", at = { m = 1000, n = 1000, k = 1000 }, blocks = [[16, 16, 1]] },
//   { class = "odd", at = { m = 1023, n = 1023, k = 1023 }, blocks = [[16, 16, 1]] },
//   { class = "odd", at = { m = 2056, n = 2056, k = 2056 }, blocks = [[16, 16, 1]] },
// ]
// ```
__global__ void mm_alpha_beta(float *a, float *b, float *c, float alpha, float beta, int m, int n,
                              int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < m && j < n) {
        c[i * n + j] *= beta;
        for (int p = 0; p < k; p++)
            c[i * n + j] += alpha * a[i * k + p] * b[p * n + j];
    }
}
