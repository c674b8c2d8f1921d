// A five-point average over a torus: neighbours wrap around by remainders of unsigned numbers.
// ```toml
// kernel = "divide_wrap"
// arg = [
//   { name = "a", type = "f32", count = "w*h", fill = "uniform(-1,1)" },
//   { name = "o", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "u32", value = "w" },
//   { name = "h", type = "u32", value = "h" },
// ]
// [sizes]
// w = { small = [33, 1, 64, 17], large = 2048 }
// h = { small = [5, 9, 1, 16], large = 1536 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(w*h + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "8*w*h"
// flops = "5*w*h"
// ```
__global__ void divide_wrap(const float *a, float *o, unsigned w, unsigned h)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < w * h) {
        unsigned x = i % w, y = i / w;
        float across = a[y * w + (x + 1) % w] + a[y * w + (x + w - 1) % w];
        float down = a[(y + 1) % h * w + x] + a[(y + h - 1) % h * w + x];
        o[i] = 0.2f * (a[i] + across + down);
    }
}
