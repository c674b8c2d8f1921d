// Rows convolved with one filter, which is read from its end, and added up. A window slides over the image, and the
// filter's tile beside it is read cell by cell. Both are copied by pieces, and the filter ends within one.
// ```toml
// kernel = "flipped_rows"
// arg = [
//   { name = "img", type = "f32", count = "(w+s)*(h+s)", fill = "uniform(-1,1)" },
//   { name = "f", type = "f32", count = "s", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
//   { name = "side", type = "i32", value = "s" },
// ]
// [sizes]
// w = { small = [50, 33, 2], large = 4096 }
// h = { small = [23, 16, 3], large = 4096 }
// s = { small = [5, 7, 2], large = 17 }
// [launch]
// blocks = [[16, 4, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// ```
__global__ void flipped_rows(const float *__restrict__ img, const float *__restrict__ f, float *__restrict__ out,
                             int w, int h, int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int pitch = w + side - 1;
    if (x < w && y < h) {
        float sum = 0.0f;
        for (int dy = 0; dy < side; dy++)
            for (int dx = 0; dx < side; dx++)
                sum += f[side - 1 - dx] * img[(y + dy) * pitch + x + dx];
        out[y * w + x] = sum;
    }
}
