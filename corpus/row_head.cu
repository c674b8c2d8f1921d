// Each thread replaces the head of its row, then sums the row: what is read was just written.
// ```toml
// kernel = "row_head"
// arg = [
//   { name = "x", type = "f32", count = "m*n", fill = "uniform(-1,1)", output = true },
//   { name = "head", type = "f32", count = "m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [200, 65, 1, 0], large = 16384 }
// n = { small = [37, 32, 3, 1], large = 2048 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "4*m*n"
// flops = "m*n"
// ```
__global__ void row_head(float *x, const float *head, float *y, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) {
        x[i * n] = head[i];
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += x[i * n + k];
        y[i] = sum;
    }
}
