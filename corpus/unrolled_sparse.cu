// A product that takes positive elements alone, unrolled four times by hand: b is read where an element of a is positive.
// ```toml
// kernel = "unrolled_sparse"
// arg = [
//   { name = "a", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "c", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5, 40], large = 1024 }
// n = { small = [29, 16, 1, 0, 40], large = 1024 }
// k = { small = [53, 64, 0, 3, 70], large = 1024 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// a = "staged"
// b = "staged"
// c = "OnlyStored"
// [bench]
// bytes = "4*(m*k + k*n + m*n)"
// flops = "m*n*k"
// ```
__global__ void unrolled_sparse(const float *a, const float *b, float *c, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float s = 0;
    int i = 0;
    for (; i + 4 <= k; i += 4) {
        if (a[row * k + i] > 0)
            s += a[row * k + i] * b[i * n + col];
        if (a[row * k + i + 1] > 0)
            s += a[row * k + i + 1] * b[(i + 1) * n + col];
        if (a[row * k + i + 2] > 0)
            s += a[row * k + i + 2] * b[(i + 2) * n + col];
        if (a[row * k + i + 3] > 0)
            s += a[row * k + i + 3] * b[(i + 3) * n + col];
    }
    for (; i < k; i++)
        if (a[row * k + i] > 0)
            s += a[row * k + i] * b[i * n + col];
    c[row * n + col] = s;
}
