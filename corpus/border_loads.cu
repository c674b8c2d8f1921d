// A row's sums over pairs of neighbours, with other rules for two columns of a constant width: clang makes a switch of them.
// ```toml
// kernel = "border_loads"
// arg = [
//   { name = "x", type = "f32", count = "64*n", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "64*n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [9, 16, 1, 0], large = 65536 }
// m = { small = [33, 7, 1, 5], large = 64 }
// [launch]
// blocks = [[32, 8, 1], [16, 16, 1], [8, 4, 1]]
// grid = ["(64 + bx - 1) / bx", "(n + by - 1) / by", "1"]
// [bench]
// bytes = "512*n"
// flops = "128*n*m"
// ```
__global__ void border_loads(const float *x, const float *w, float *y, int n, int m)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= 64 || row >= n)
        return;
    float around;
    if (column == 0)
        around = 2 * x[row * 64 + 1];
    else if (column == 63)
        around = 3 * x[row * 64 + 62];
    else
        around = x[row * 64 + column - 1] + x[row * 64 + column + 1];
    float sum = 0;
    for (int k = 0; k < m; k++)
        sum += w[k] * (x[row * 64 + (column & k)] + around);
    y[row * 64 + column] = sum;
}
