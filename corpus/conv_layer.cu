// A layer of a convolution network: windows of 3x3 of all channels, an output map for each layer of the grid.
// ```toml
// kernel = "conv_layer"
// arg = [
//   { name = "in", type = "f32", count = "c*h*w", fill = "uniform(-1,1)" },
//   { name = "weights", type = "f32", count = "m*c*9", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "m*max(h-2,0)*max(w-2,0)", fill = "zero", output = true },
//   { name = "channels", type = "i32", value = "c" },
//   { name = "height", type = "i32", value = "h" },
//   { name = "width", type = "i32", value = "w" },
// ]
// [sizes]
// c = { small = [3, 1, 2, 0], large = 64 }
// h = { small = [20, 9, 37, 5], large = 114 }
// w = { small = [19, 9, 40, 6], large = 114 }
// m = { small = [5, 1, 9, 2], large = 64 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(w - 2 + bx - 1) / bx", "(h - 2 + by - 1) / by", "m"]
// [expect]
// in = "staged"
// weights = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "4*c*h*w + 36*m*c + 4*m*(h-2)*(w-2)"
// flops = "18*m*c*(h-2)*(w-2)"
// ```
__global__ void conv_layer(const float *in, const float *weights, float *out, int channels, int height, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int map = blockIdx.z;
    if (x >= width - 2 || y >= height - 2)
        return;
    float sum = 0.0f;
    for (int c = 0; c < channels; c++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                sum += in[(c * height + y + i) * width + x + j] * weights[((map * channels + c) * 3 + i) * 3 + j];
    out[(map * (height - 2) + y) * (width - 2) + x] = sum;
}
