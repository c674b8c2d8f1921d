// Dot products of a thread's own row with each of several others, which may be written into that row: what a later
// iteration reads is what an earlier one wrote.
// ```toml
// kernel = "own_rows"
// arg = [
//   { name = "a", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "s", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// alias = [
//   { arg = "s", of = "a", offset = "0" },
// ]
// [sizes]
// m = { small = [70, 5], large = 8192 }
// n = { small = [9, 16], large = 512 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "8*m*n"
// ```
__global__ void own_rows(const float *a, const float *w, float *s, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * w[j * n + k];
            s[i * n + j] = sum;
        }
}
