// Windows of a row summed up and stored in mirrored order. No guard: what the grid does not have must not run. Where the
// results lie behind what is read, in the same buffer, the last two blocks just do not meet; two further on would.
// ```toml
// kernel = "mirror"
// arg = [
//   { name = "x", type = "f32", count = "64*g + w", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "64*g + w", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "64*g + w" },
//   { name = "w", type = "i32", value = "w" },
// ]
// alias = [
//   { arg = "y", of = "x", offset = "0" },
// ]
// [sizes]
// g = { small = [4, 5, 7, 1], large = 4096 }
// w = { small = [37, 20, 16, 3], large = 512 }
// [launch]
// blocks = [[32, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "256*g"
// flops = "32*g*w"
// ```
__global__ void mirror(const float *x, float *y, int n, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < w; k++) {
        sum += x[i + k];
        y[n - 1 - i] = sum;
    }
}
