// Rows summed up, each sum so far stored at once, the rows' results in mirrored order. Where they lie behind the rows, in
// the same buffer, those of all threads but the last lie between and behind what others read, and the last thread's is the
// last element of its own row: the rows of the first blocks do not show that.
// ```toml
// kernel = "mirrored_rows"
// arg = [
//   { name = "x", type = "f32", count = "129*2*g + 64", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "65*2*g", fill = "zero", output = true },
//   { name = "last", type = "i32", value = "2*g - 1" },
//   { name = "w", type = "i32", value = "w" },
// ]
// alias = [
//   { arg = "y", of = "x", offset = "64*(2*g - 1) + w - 1" },
// ]
// [sizes]
// g = { small = [12, 8, 11, 1], large = 12 }
// w = { small = [37, 20, 33, 40], large = 40 }
// [launch]
// blocks = [[1, 2, 1]]
// grid = ["1", "g", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*g*w"
// flops = "2*g*w"
// ```
__global__ void mirrored_rows(const float *x, float *y, int last, int w)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < w; k++) {
        sum += x[i * 64 + k];
        y[(last - i) * 65] = sum;
    }
}
