// The complex conjugates of rows of numbers, in place: a thread for each row, which counts by two.
// ```toml
// kernel = "conjugate_rows"
// arg = [
//   { name = "z", type = "f32", count = "m*w", fill = "uniform(-1,1)", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "w", type = "i32", value = "w" },
// ]
// [sizes]
// m = { small = [100, 65, 3, 1], large = 384 }
// w = { small = [74, 33, 16, 1], large = 65536 }
// [launch]
// blocks = [[32, 1, 1], [256, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// z = "staged"
// [bench]
// bytes = "8*m*w"
// flops = "m*w"
// ```
__global__ void conjugate_rows(float *z, int m, int w)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m)
        for (int j = 0; j + 1 < w; j += 2) {
            z[row * w + j] *= 0.5f;
            z[row * w + j + 1] *= -0.5f;
        }
}
