// Entropy of the classes in a window of 5x5 pixels: a thread counts them in an array of its own.
// ```toml
// kernel = "local_entropy"
// arg = [
//   { name = "v", type = "u8", count = "w*h", fill = "index(16)" },
//   { name = "o", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "h", type = "i32", value = "h" },
//   { name = "w", type = "i32", value = "w" },
// ]
// [sizes]
// h = { small = [9, 1, 20, 5], large = 4096 }
// w = { small = [37, 1, 16, 3], large = 4096 }
// [launch]
// blocks = [[16, 16, 1], [64, 4, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// [bench]
// bytes = "5*w*h"
// ```
__global__ void local_entropy(const unsigned char *v, float *o, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int count[16] = {0}, total = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int px = x + dx, py = y + dy;
            if (px >= 0 && px < w && py >= 0 && py < h) {
                count[v[py * w + px]]++;
                total++;
            }
        }
    float sum = 0;
    for (int k = 0; k < 16; k++) {
        float p = (float)count[k] / total;
        if (p > 0)
            sum -= p * log2f(p);
    }
    o[y * w + x] = sum;
}
