// Matrix times vector in the manner of PolyBench: fixed widths, the sum kept in the output array.
// ```toml
// kernel = "mv_accumulate"
// arg = [
//   { name = "A", type = "f32", count = "m*96", fill = "uniform(-1,1)" },
//   { name = "x", type = "f32", count = "96", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "rows", type = "i32", value = "m" },
// ]
// [sizes]
// m = { small = [300, 65, 1, 0], large = 1048576 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// A = "staged"
// x = "staged"
// [bench]
// bytes = "384*m"
// flops = "192*m"
// ```
#define COLS 96

__global__ void mv_accumulate(float *A, float *x, float *y, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) {
        y[i] = 0.0f;
        for (int j = 0; j < COLS; j++)
            y[i] += A[i * COLS + j] * x[j];
    }
}
