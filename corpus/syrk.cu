// A times its own transpose, accumulated in memory: one array, two tiles, one of them walked across
// rows.
// ```toml
// kernel = "syrk"
// arg = [
//   { name = "alpha", type = "f32", value = "0.5" },
//   { name = "beta", type = "f32", value = "1.25" },
//   { name = "a", type = "f32", count = "n*k", fill = "uniform(-1,1)" },
//   { name = "c", type = "f32", count = "n*n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// n = { small = [35, 16, 1, 0], large = 1024 }
// k = { small = [53, 64, 3, 1], large = 1024 }
// [launch]
// blocks = [[32, 8, 1], [16, 16, 1], [5, 9, 1]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "1"]
// [expect]
// a = "staged"
// [bench]
// bytes = "4*(n*k + 2*n*n)"
// flops = "2*n*n*k"
// blas = { a = "a", b = "a", c = "c", m = "n", n = "n", k = "k", tb = true, alpha = 0.5, beta = 1.25 }
// ```
__global__ void syrk(float alpha, float beta, const float *a, float *c, int n, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        c[i * n + j] *= beta;
        for (int p = 0; p < k; p++)
            c[i * n + j] += alpha * a[i * k + p] * a[j * k + p];
    }
}
