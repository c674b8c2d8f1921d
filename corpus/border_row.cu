// One row of a matrix takes the row before it; all others are turned away, and the grid's size is asked for.
// ```toml
// kernel = "border_row"
// arg = [
//   { name = "a", type = "f32", count = "n*n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "row", type = "i32", value = "n/2" },
// ]
// [sizes]
// n = { small = [45, 33, 16, 2, 0], large = 8192 }
// [launch]
// blocks = [[32, 8, 1], [16, 16, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "1"]
// [bench]
// bytes = "8*n"
// flops = "0"
// ```
__global__ void border_row(float *a, int n, int row)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i != row || row < 1)
        return;
    for (; j < n; j += gridDim.x * blockDim.x)
        a[i * n + j] = a[(i - 1) * n + j] + gridDim.y;
}
