// Product with a lower triangle on the right: each column of threads begins where the triangle does.
// ```toml
// kernel = "tri_upper"
// arg = [
//   { name = "c", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "a", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "l", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [37, 20, 64, 1], large = 2048 }
// n = { small = [29, 400, 64, 1], large = 2048 }
// [launch]
// blocks = [[32, 8, 1], [16, 16, 1], [5, 9, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// a = "staged"
// l = "staged"
// [bench]
// bytes = "8*m*n + 2*n*n"
// flops = "m*n*n"
// ```
__global__ void tri_upper(float *c, const float *a, const float *l, int m, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = col; i < n; i++)
            sum += a[row * n + i] * l[i * n + col];
        c[row * n + col] = sum;
    }
}
