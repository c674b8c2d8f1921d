// The axes of a volume in reverse, by a flat id: the innermost becomes the outermost.
// ```toml
// kernel = "permute3_reversed"
// arg = [
//   { name = "in", type = "f32", count = "x*y*z", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "x*y*z", fill = "zero", output = true },
//   { name = "x", type = "i32", value = "x" },
//   { name = "y", type = "i32", value = "y" },
//   { name = "z", type = "i32", value = "z" },
// ]
// [sizes]
// x = { small = [33, 1, 64, 9], large = 200 }
// y = { small = [5, 9, 1, 16], large = 320 }
// z = { small = [41, 70, 3, 1], large = 300 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(x*y*z + bx - 1) / bx", "1", "1"]
// [expect]
// in = "staged"
// out = "staged"
// [bench]
// bytes = "8*x*y*z"
// flops = "0"
// ```
__global__ void permute3_reversed(const float *in, float *out, int x, int y, int z)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= x * y * z)
        return;
    int i = id % x, j = id / x % y, k = id / (x * y);
    out[(i * y + j) * z + k] = in[id];
}
