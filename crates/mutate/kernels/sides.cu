// Sums along rows, with other rules for some columns, and what lies beside the border. clang makes a switch of each of
// the two questions about the column, and one block of what two sides of the second end with.
// ```toml
// kernel = "sides"
// arg = [
//   { name = "x", type = "f32", count = "64*n", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "64*n", fill = "zero", output = true },
//   { name = "z", type = "f32", count = "64*n", fill = "zero", output = true },
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
// bytes = "768*n"
// flops = "128*n*m"
// ```
__global__ void sides(const float *x, const float *w, float *y, float *z, int n, int m)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= 64 || row >= n)
        return;
    int i = row * 64 + column;
    float by = 0;
    switch (column) {
    case 3:
    case 7: by = x[i] * x[i + 1]; break;
    case 4: by = x[i + 2] + w[0]; break;
    case 5: break;
    default: by = 1;
    }
    float beside = 2;
    if (column == 0)
        beside = x[i + 1] / w[0] + by;
    else if (column == 63)
        beside = x[i - 1] / w[0] + by;
    z[i] = beside;
    float sum = 0;
    for (int k = 0; k < m; k++)
        sum += w[k] * (x[row * 64 + (column & k)] + by);
    y[i] = sum;
}
