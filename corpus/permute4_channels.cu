// Channels of images innermost: NCHW becomes NHWC, by a flat id that is taken apart step by step.
// ```toml
// kernel = "permute4_channels"
// arg = [
//   { name = "in", type = "f32", count = "n*c*h*w", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "n*c*h*w", fill = "zero", output = true },
//   { name = "images", type = "i32", value = "n" },
//   { name = "channels", type = "i32", value = "c" },
//   { name = "height", type = "i32", value = "h" },
//   { name = "width", type = "i32", value = "w" },
// ]
// [sizes]
// n = { small = [2, 1, 3, 2], large = 32 }
// c = { small = [33, 3, 40, 1], large = 64 }
// h = { small = [5, 9, 2, 7], large = 112 }
// w = { small = [41, 32, 8, 3], large = 112 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n*c*h*w + bx - 1) / bx", "1", "1"]
// [expect]
// in = "staged"
// out = "staged"
// [bench]
// bytes = "8*n*c*h*w"
// flops = "0"
// ```
__global__ void permute4_channels(const float *in, float *out, int images, int channels, int height, int width)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= images * channels * height * width)
        return;
    int left = id;
    int x = left % width;
    left /= width;
    int y = left % height;
    left /= height;
    int c = left % channels;
    int n = left / channels;
    out[((n * height + y) * width + x) * channels + c] = in[id];
}
