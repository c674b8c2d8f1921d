// A product unrolled twice by hand, by an int up to a size_t, whose inner operation branches.
// ```toml
// kernel = "unrolled_wide"
// arg = [
//   { name = "a", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "c", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "u64", value = "m" },
//   { name = "n", type = "u64", value = "n" },
//   { name = "k", type = "u64", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5, 40], large = 2048 }
// n = { small = [29, 16, 1, 0, 40], large = 2048 }
// k = { small = [53, 64, 0, 1, 71], large = 2048 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// a = "staged"
// b = "staged"
// c = "OnlyStored"
// [bench]
// bytes = "4*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// ```
__global__ void unrolled_wide(const float *a, const float *b, float *c, size_t m, size_t n, size_t k)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float s = 0;
    int i = 0;
    for (; i + 2 <= k; i += 2) {
        float x = a[row * k + i], y = b[i * n + col];
        s += x > y ? x * y : -y;
        x = a[row * k + i + 1], y = b[(i + 1) * n + col];
        s += x > y ? x * y : -y;
    }
    for (; i < k; i++) {
        float x = a[row * k + i], y = b[i * n + col];
        s += x > y ? x * y : -y;
    }
    c[row * n + col] = s;
}
