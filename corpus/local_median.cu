// The lower median of up to 25 pixels around each one: a thread keeps them sorted in a buffer of its own.
// ```toml
// kernel = "local_median"
// arg = [
//   { name = "a", type = "u16", count = "w*h", fill = "index(1000)" },
//   { name = "o", type = "u16", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
// ]
// [sizes]
// w = { small = [37, 1, 16, 3], large = 2048 }
// h = { small = [9, 1, 20, 5], large = 2048 }
// [launch]
// blocks = [[16, 16, 1], [32, 4, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// [bench]
// bytes = "4*w*h"
// ```
__global__ void local_median(const unsigned short *a, unsigned short *o, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    unsigned short sorted[25];
    int n = 0;
    for (int py = max(y - 2, 0); py <= min(y + 2, h - 1); py++)
        for (int px = max(x - 2, 0); px <= min(x + 2, w - 1); px++) {
            unsigned short v = a[py * w + px];
            int k = n++;
            while (k > 0 && sorted[k - 1] > v) {
                sorted[k] = sorted[k - 1];
                k--;
            }
            sorted[k] = v;
        }
    o[y * w + x] = sorted[(n - 1) / 2];
}
