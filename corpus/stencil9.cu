// Nine-point stencil in two dimensions with edges clamped.
// ```toml
// kernel = "stencil9"
// arg = [
//   { name = "in", type = "f32", count = "w*h", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
// ]
// [sizes]
// w = { small = [67, 32, 3, 1], large = 8192 }
// h = { small = [41, 16, 3, 0], large = 8192 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// [expect]
// in = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "8*w*h"
// flops = "13*w*h"
// ```
__device__ int clamped(int v, int hi)
{
    return v < 0 ? 0 : v > hi ? hi : v;
}

__global__ void stencil9(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int xm = clamped(x - 1, w - 1), xp = clamped(x + 1, w - 1);
    int ym = clamped(y - 1, h - 1), yp = clamped(y + 1, h - 1);
    out[y * w + x] = in[ym * w + xm] + 2 * in[ym * w + x] + in[ym * w + xp] + 2 * in[y * w + xm] +
                     4 * in[y * w + x] + 2 * in[y * w + xp] + in[yp * w + xm] +
                     2 * in[yp * w + x] + in[yp * w + xp];
}
