// Five points of a layer each, in blocks of one dimension that are taken apart by a constant.
// ```toml
// kernel = "stencil_flat_blocks"
// arg = [
//   { name = "a", type = "f32", count = "d*h*w", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "d*h*w", fill = "zero", output = true },
//   { name = "w", type = "u64", value = "w" },
//   { name = "h", type = "u64", value = "h" },
// ]
// [sizes]
// w = { small = [70, 33, 1, 64], large = 8192 }
// h = { small = [45, 16, 1, 9], large = 8192 }
// d = { small = [1, 3, 2, 1], large = 2 }
// [launch]
// blocks = [[256, 1, 1]]
// grid = ["(w + 31) / 32", "(h + 7) / 8", "d"]
// [bench]
// bytes = "8*d*h*w"
// flops = "5*d*h*w"
// ```
__global__ void stencil_flat_blocks(const float *a, float *b, size_t w, size_t h)
{
    size_t x = blockIdx.x * 32 + (threadIdx.x & 31), y = blockIdx.y * 8 + (threadIdx.x >> 5);
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    size_t i = (blockIdx.z * h + y) * w + x;
    b[i] = a[i - 1] + a[i + 1] + a[i - w] + a[i + w] - 4 * a[i];
}
