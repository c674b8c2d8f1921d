// Counts by class in a grid of whole blocks in two dimensions, without a guard: a turn that the grid does not have would
// count what lies behind the data. Blocks that differ in the third dimension count everything again.
// ```toml
// kernel = "whole_blocks"
// arg = [
//   { name = "data", type = "u8", count = "3*64*g", fill = "index(256)" },
//   { name = "bins", type = "i32", count = "256", fill = "zero", output = true },
//   { name = "width", type = "i32", value = "64*g" },
// ]
// [sizes]
// g = { small = [12, 7, 16, 1], large = 1048576 }
// [launch]
// blocks = [[64, 1, 1]]
// grid = ["g", "3", "1 + g % 2"]
// [expect]
// bins = "staged"
// [bench]
// bytes = "3*64*g"
// ```
__global__ void whole_blocks(const unsigned char *data, int *bins, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    atomicAdd(&bins[data[y * width + i]], 1);
}
