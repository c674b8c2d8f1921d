// The axes of a volume in another order: a flat id is taken apart by run-time extents.
// ```toml
// kernel = "divide_permute"
// arg = [
//   { name = "a", type = "f32", count = "x*y*z", fill = "uniform(-1,1)" },
//   { name = "o", type = "f32", count = "x*y*z", fill = "zero", output = true },
//   { name = "x", type = "i32", value = "x" },
//   { name = "y", type = "i32", value = "y" },
//   { name = "z", type = "i32", value = "z" },
// ]
// [sizes]
// x = { small = [33, 1, 64, 7], large = 120 }
// y = { small = [5, 9, 1, 16], large = 96 }
// z = { small = [4, 70, 3, 1], large = 640 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(x*y*z + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "8*x*y*z"
// flops = "0"
// ```
__global__ void divide_permute(const float *a, float *o, int x, int y, int z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= x * y * z)
        return;
    int row = i / x, column = i % x;
    int line = row / z, layer = row % z;
    o[i] = a[(layer * y + line) * x + column];
}
