// Triangular product by flattened ids.
// ```toml
// kernel = "tri_flat"
// arg = [
//   { name = "c", type = "f32", count = "n*n", fill = "zero", output = true },
//   { name = "a", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [37, 100, 8, 1], large = 2048 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n*n + bx - 1) / bx", "1", "1"]
// [expect]
// a = "staged"
// b = "staged"
// [bench]
// bytes = "10*n*n"
// flops = "n*n*n"
// ```
__global__ void tri_flat(float *c, const float *a, const float *b, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n * n) {
        int i = id / n, j = id % n;
        float s = 0.0f;
        for (int k = 0; k <= i; k++)
            s += a[i * n + k] * b[k * n + j];
        c[id] = s;
    }
}
