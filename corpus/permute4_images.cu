// Channels of images innermost, an image for each layer of the grid: the id counts what one image has.
// ```toml
// kernel = "permute4_images"
// arg = [
//   { name = "in", type = "f32", count = "n*c*h*w", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "n*c*h*w", fill = "zero", output = true },
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
// grid = ["(c*h*w + bx - 1) / bx", "1", "n"]
// [expect]
// in = "staged"
// out = "staged"
// [bench]
// bytes = "8*n*c*h*w"
// flops = "0"
// ```
__global__ void permute4_images(const float *in, float *out, int channels, int height, int width)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int size = channels * height * width;
    if (id >= size)
        return;
    int x = id % width;
    int y = id / width % height;
    int c = id / (width * height);
    int image = blockIdx.z;
    out[image * size + (y * width + x) * channels + c] = in[image * size + id];
}
