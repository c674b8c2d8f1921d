// Products of attention, one for each head of each example of a batch, by layers of the grid: there is a block for
// each row, and none beyond them, and heads share the second operand by twos.
// ```toml
// kernel = "linear_heads"
// arg = [
//   { name = "a", type = "f32", count = "b*h*m*k", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "b*(h/2)*k*n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "b*h*m*n", fill = "zero", output = true },
//   { name = "m", type = "u64", value = "m" },
//   { name = "n", type = "u64", value = "n" },
//   { name = "k", type = "u64", value = "k" },
// ]
// [sizes]
// b = { small = [1, 2, 1, 2], large = 8 }
// h = { small = [2, 2, 4, 2], large = 16 }
// m = { small = [128, 37, 16, 3], large = 1024 }
// n = { small = [64, 70, 1, 33], large = 1024 }
// k = { small = [16, 53, 64, 5], large = 1024 }
// [launch]
// blocks = [[64, 1, 1], [32, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "m", "b*h"]
// [bench]
// bytes = "4*b*h*(m*k + m*n) + 2*b*h*k*n"
// flops = "2*b*h*m*n*k"
// ```
__global__ void linear_heads(const float *a, const float *w, float *y, size_t m, size_t n, size_t k)
{
    size_t row = blockIdx.y, layer = blockIdx.z, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= n)
        return;
    float sum = 0.0f;
    for (size_t i = 0; i < k; i++)
        sum += a[(layer * m + row) * k + i] * w[(layer / 2 * k + i) * n + col];
    y[(layer * m + row) * n + col] = sum;
}
