// The mean of 49 pixels, at the borders of fewer, in blocks of one dimension that are taken apart by a constant that is no
// power of two; the grid's rows lie along x.
// ```toml
// kernel = "box_flat_blocks"
// arg = [
//   { name = "in", type = "f32", count = "w*h", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
// ]
// [sizes]
// w = { small = [70, 25, 1, 24], large = 6144 }
// h = { small = [45, 17, 1, 9], large = 4096 }
// [launch]
// blocks = [[240, 1, 1]]
// grid = ["(h + 9) / 10", "(w + 23) / 24", "1"]
// [bench]
// bytes = "8*h*w"
// flops = "50*h*w"
// ```
#define COLUMNS 24
#define ROWS 10
__global__ void box_flat_blocks(const float *in, float *out, int w, int h)
{
    int tx = threadIdx.x % COLUMNS, ty = threadIdx.x / COLUMNS;
    int x = tx + blockIdx.y * COLUMNS, y = ty + blockIdx.x * ROWS;
    if (x >= w || y >= h)
        return;
    float sum = 0;
    int count = 0;
    for (int j = y - 3; j <= y + 3; j++)
        for (int i = x - 3; i <= x + 3; i++)
            if (i >= 0 && i < w && j >= 0 && j < h) {
                sum += in[j * w + i];
                count++;
            }
    out[y * w + x] = sum / count;
}
