// How far a small picture is from each place of a line of a large one: sums of absolute differences.
// ```toml
// kernel = "block_match"
// arg = [
//   { name = "image", type = "u8", count = "(m + w)*h", fill = "uniform(0,255)" },
//   { name = "part", type = "u8", count = "w*h", fill = "uniform(0,255)" },
//   { name = "far", type = "u32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
// ]
// [sizes]
// m = { small = [130, 65, 1, 3], large = 4096 }
// w = { small = [37, 64, 1, 0], large = 256 }
// h = { small = [5, 3, 4, 2], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [128, 1, 1], [33, 1, 1], [12, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "(m + w)*h + w*h + 4*m"
// flops = "3*m*w*h"
// unit = "i32"
// ```
__global__ void block_match(const unsigned char *image, const unsigned char *part, unsigned *far, int m, int w, int h)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= m)
        return;
    unsigned sum = 0;
    for (int i = 0; i < h; i++) {
        for (int j = 0; j < w; j++) {
            int d = image[i * (m + w) + at + j] - part[i * w + j];
            sum += d < 0 ? -d : d;
        }
    }
    far[at] = sum;
}
