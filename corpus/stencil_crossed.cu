// Four points around each of a layer's, whose grid has the rows along x: blocks are numbered along another axis than their
// threads.
// ```toml
// kernel = "stencil_crossed"
// arg = [
//   { name = "a", type = "f32", count = "d*h*w", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "d*h*w", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
// ]
// [sizes]
// w = { small = [70, 33, 1, 64], large = 8192 }
// h = { small = [45, 16, 1, 9], large = 8192 }
// d = { small = [1, 3, 2, 1], large = 2 }
// [launch]
// blocks = [[32, 8, 1], [16, 16, 1], [7, 5, 1]]
// grid = ["(h + by - 1) / by", "(w + bx - 1) / bx", "d"]
// [bench]
// bytes = "8*d*h*w"
// flops = "4*d*h*w"
// ```
__global__ void stencil_crossed(const float *a, float *b, int w, int h)
{
    int x = blockIdx.y * blockDim.x + threadIdx.x;
    int y = blockIdx.x * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    int i = (blockIdx.z * h + y) * w + x;
    b[i] = 0.25f * (a[i - 1] + a[i + 1] + a[i - w] + a[i + w]);
}
