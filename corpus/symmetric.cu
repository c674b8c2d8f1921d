// A symmetric product in the manner of PolyBench: each element's sum is kept in memory, then mirrored.
// ```toml
// kernel = "symmetric"
// arg = [
//   { name = "c", type = "f32", count = "n*n", fill = "uniform(-1,1)", output = true },
//   { name = "a", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "rows", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [17, 40, 3, 0], large = 1024 }
// n = { small = [70, 33, 1, 2], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// c = "staged"
// a = "staged"
// [bench]
// bytes = "4*m*n + 4*n*n"
// flops = "m*n*(n + 1)"
// ```
__global__ void symmetric(float *c, const float *a, int rows, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = i; j < n; j++) {
            c[i * n + j] = 0.0f;
            for (int k = 0; k < rows; k++)
                c[i * n + j] += a[k * n + i] * a[k * n + j];
            c[j * n + i] = c[i * n + j];
        }
}
