// Covariance in the manner of PolyBench: a divergent loop over column pairs around a uniform one over
// rows.
// ```toml
// kernel = "covariance"
// arg = [
//   { name = "data", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "cov", type = "f32", count = "n*n", fill = "zero", output = true },
//   { name = "rows", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [13, 16, 3, 0], large = 1024 }
// n = { small = [70, 33, 1, 2], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "4*m*n + 2*n*n"
// flops = "m*n*(n + 1)"
// ```
__global__ void covariance(const float *data, float *cov, int rows, int n)
{
    int a = blockIdx.x * blockDim.x + threadIdx.x;
    if (a < n)
        for (int b = a; b < n; b++) {
            float sum = 0.0f;
            for (int i = 0; i < rows; i++)
                sum += data[i * n + a] * data[i * n + b];
            cov[a * n + b] = sum;
        }
}
