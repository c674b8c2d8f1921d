// A box of an image, given by its corners, is scaled in place; a thread for each place of the image.
// ```toml
// kernel = "box_update"
// arg = [
//   { name = "a", type = "f32", count = "n*n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "u32", value = "n" },
//   { name = "left", type = "u32", value = "n/4" },
//   { name = "right", type = "u32", value = "n/2" },
//   { name = "top", type = "u32", value = "n/3" },
//   { name = "bottom", type = "u32", value = "n/2" },
// ]
// [sizes]
// n = { small = [97, 64, 16, 2, 0], large = 8192 }
// [launch]
// blocks = [[32, 8, 1], [16, 16, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "1"]
// [bench]
// bytes = "8*(n/4)*(n/6)"
// flops = "(n/4)*(n/6)"
// ```
__global__ void box_update(float *a, unsigned n, unsigned left, unsigned right, unsigned top, unsigned bottom)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) {
        bool inside = x >= left && x < right && y >= top && y < bottom;
        if (inside)
            a[y * n + x] *= 0.5f;
    }
}
