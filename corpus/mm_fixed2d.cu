// Product on fixed-size two-dimensional array parameters.
// ```toml
// kernel = "mm_fixed2d"
// arg = [
//   { name = "a", type = "f32", count = "m*64", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "64*64", fill = "uniform(-1,1)" },
//   { name = "c", type = "f32", count = "m*64", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// m = { small = [19, 16, 1, 0], large = 65536 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(64 + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// a = "staged"
// b = "staged"
// c = "OnlyStored"
// [bench]
// bytes = "512*m"
// flops = "8192*m"
// ```
#define W 64

__global__ void mm_fixed2d(float a[][W], float b[][W], float c[][W], int m)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < W) {
        float sum = 0.0f;
        for (int i = 0; i < W; i++)
            sum += a[row][i] * b[i][col];
        c[row][col] = sum;
    }
}
