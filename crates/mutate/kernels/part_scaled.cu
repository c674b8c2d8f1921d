// Scales the part of the data that the grid has threads for: whole groups of merged blocks would do some that it has not.
// ```toml
// kernel = "part_scaled"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [5000, 640, 65, 4096], large = 67108864 }
// g = { small = [37, 10, 1, 65], large = 262144 }
// [launch]
// blocks = [[64, 1, 1], [128, 1, 1]]
// grid = ["g", "1", "1"]
// [bench]
// bytes = "8*n"
// ```
__global__ void part_scaled(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * x[i] + 1.f;
}
