// Maximum of 3x3 windows placed every second element: windows overlap by one.
// ```toml
// kernel = "maxpool"
// arg = [
//   { name = "in", type = "f32", count = "(2*ow+1)*(2*oh+1)", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "ow*oh", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "2*ow+1" },
//   { name = "ow", type = "i32", value = "ow" },
//   { name = "oh", type = "i32", value = "oh" },
// ]
// [sizes]
// ow = { small = [37, 16, 1, 0], large = 4096 }
// oh = { small = [21, 8, 1, 2], large = 4096 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(ow + bx - 1) / bx", "(oh + by - 1) / by", "1"]
// [expect]
// in = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "4*(2*ow + 1)*(2*oh + 1) + 4*ow*oh"
// ```
__global__ void maxpool(const float *in, float *out, int w, int ow, int oh)
{
    int ox = blockIdx.x * blockDim.x + threadIdx.x;
    int oy = blockIdx.y * blockDim.y + threadIdx.y;
    if (ox >= ow || oy >= oh)
        return;
    float best = -1e30f;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            best = fmaxf(best, in[(2 * oy + dy) * w + 2 * ox + dx]);
    out[oy * ow + ox] = best;
}
