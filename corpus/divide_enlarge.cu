// Pixels of larger images from those of smaller ones, by sizes of 64 bits in a struct.
// ```toml
// kernel = "divide_enlarge"
// arg = [
//   { name = "in", type = "f32", count = "c*h*w", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "c*h*w*k*k", fill = "zero", output = true },
//   { name = "s", fields = [
//     { name = "c", type = "u64", value = "c" },
//     { name = "h", type = "u64", value = "h" },
//     { name = "w", type = "u64", value = "w" },
//     { name = "k", type = "u64", value = "k" },
//   ] },
// ]
// [sizes]
// c = { small = [3, 1, 2], large = 64 }
// h = { small = [5, 9, 1], large = 180 }
// w = { small = [7, 1, 16], large = 320 }
// k = { small = [2, 3, 1], large = 2 }
// [launch]
// blocks = [[256, 1, 1], [33, 1, 1]]
// grid = ["(c*h*w*k*k + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "4*c*h*w*(1+k*k)"
// flops = "0"
// ```
struct Sizes {
    size_t c, h, w, k;
};

__global__ void divide_enlarge(const float *in, float *out, Sizes s)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t width = s.w * s.k, height = s.h * s.k;
    if (i >= s.c * height * width)
        return;
    size_t x = i % width, y = i / width % height, c = i / (width * height);
    out[i] = in[(c * s.h + y / s.k) * s.w + x / s.k];
}
