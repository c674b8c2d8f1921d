// The papers' matrix inverse: one elimination step of Gauss and Jordan, a column per thread, from one
// buffer to the other.
// ```toml
// kernel = "inverse"
// arg = [
//   { name = "a", type = "f32", count = "2*n*n", fill = "uniform(1,2)" },
//   { name = "w", type = "f32", count = "2*n*n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "pivot", type = "i32", value = "n/2" },
// ]
// [sizes]
// n = { small = [40, 17, 1], large = 4096 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(2*n + bx - 1) / bx", "1", "1"]
// [expect]
// a = "staged"
// w = "OnlyStored"
// [bench]
// bytes = "16*n*n"
// flops = "4*n*n"
// ```
__global__ void inverse(const float *a, float *w, int n, int pivot)
{
    int n2 = 2 * n;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n2) {
        float scaled = a[pivot * n2 + j] / a[pivot * n2 + pivot];
        for (int i = 0; i < n; i++) {
            float rest = a[i * n2 + j] - a[i * n2 + pivot] * scaled;
            w[i * n2 + j] = i == pivot ? scaled : rest;
        }
    }
}
