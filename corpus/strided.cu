// The papers' strided access: every fourth element is used, so the tile is packed.
// ```toml
// kernel = "strided"
// arg = [
//   { name = "x", type = "f32", count = "4*t+4", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "n*t", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "taps", type = "i32", value = "t" },
// ]
// [sizes]
// n = { small = [300, 64, 1, 0], large = 65536 }
// t = { small = [21, 40, 0, 3], large = 512 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "4*n*t"
// flops = "2*n*t"
// ```
__global__ void strided(const float *x, const float *w, float *y, int n, int taps)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float sum = 0.0f;
        for (int i = 0; i < taps; i++)
            sum += x[4 * i + 1] * w[i * n + id];
        y[id] = sum;
    }
}
