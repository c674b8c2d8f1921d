// Bytes averaged over a window of rows that is clamped to the image.
// ```toml
// kernel = "column_clamp"
// arg = [
//   { name = "x", type = "u8", count = "w*h", fill = "index(200)" },
//   { name = "y", type = "u8", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
//   { name = "r", type = "i32", value = "r" },
// ]
// [sizes]
// w = { small = [50, 33, 2, 1, 20], large = 8192 }
// h = { small = [23, 16, 3, 0, 150], large = 8192 }
// r = { small = [2, 3, 1, 0, 2], large = 5 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "2*w*h"
// flops = "w*h*(2*r + 1)"
// unit = "i32"
// blocks = [[16, 16, 1], [32, 8, 1]]
// ```
__global__ void column_clamp(const unsigned char *x, unsigned char *y, int w, int h, int r)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= w || row >= h)
        return;
    int sum = 0;
    for (int k = -r; k <= r; k++)
        sum += x[min(max(row + k, 0), h - 1) * w + col];
    y[row * w + col] = sum / (2 * r + 1);
}
