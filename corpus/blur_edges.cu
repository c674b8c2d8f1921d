// A mean of 5x5 neighbours, of which those outside the image are left out one by one; neighbouring threads walk down a column.
// ```toml
// kernel = "blur_edges"
// arg = [
//   { name = "x", type = "f32", count = "w*h", fill = "uniform(-1,1)" },
//   { name = "mask", type = "f32", count = "25", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
// ]
// [sizes]
// w = { small = [50, 33, 2, 1, 7, 3], large = 4096 }
// h = { small = [23, 16, 3, 1, 150, 100], large = 4096 }
// [launch]
// blocks = [[16, 16, 1], [8, 32, 1], [7, 5, 1], [32, 2, 1]]
// grid = ["(h + bx - 1) / bx", "(w + by - 1) / by", "1"]
// [expect]
// x = "staged"
// mask = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*w*h"
// flops = "50*w*h"
// rows = [
//   { class = "large", blocks = [[16, 16, 1], [32, 8, 1], [4, 64, 1]] },
//   { class = "l2", at = { w = 1024, h = 1024 }, blocks = [[16, 16, 1]] },
// ]
// ```
#define R 2
__global__ void blur_edges(const float *__restrict__ x, const float *__restrict__ mask, float *__restrict__ y, int w, int h)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < w && row < h) {
        float sum = 0.0f;
        for (int dy = -R; dy <= R; dy++)
            for (int dx = -R; dx <= R; dx++) {
                int r = row + dy, c = col + dx;
                if (c >= 0 && c < w && r >= 0 && r < h)
                    sum += x[r * w + c] * mask[(dy + R) * (2 * R + 1) + dx + R];
            }
        y[row * w + col] = sum;
    }
}
