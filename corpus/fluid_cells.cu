// A step of a fluid among walls: only where a cell is fluid are the pressures around it read, three cells far.
// ```toml
// kernel = "fluid_cells"
// arg = [
//   { name = "p", type = "f32", count = "w*h", fill = "uniform(-1,1)" },
//   { name = "open", type = "f32", count = "w*h", fill = "uniform(-1,1)" },
//   { name = "next", type = "f32", count = "w*h", fill = "uniform(-1,1)", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
// ]
// [sizes]
// w = { small = [67, 16, 1, 7, 40], large = 4096 }
// h = { small = [45, 16, 1, 9, 40], large = 4096 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// [expect]
// p = "staged"
// [bench]
// bytes = "12*w*h"
// flops = "14*w*h"
// ```
__global__ void fluid_cells(const float *p, const float *open, float *next, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 3 || y < 3 || x >= w - 3 || y >= h - 3)
        return;
    if (open[y * w + x] > 0) {
        float s = 0;
        for (int d = -3; d <= 3; d++)
            s += p[(y + d) * w + x] + p[y * w + x + d];
        next[y * w + x] = s / 14;
    }
}
