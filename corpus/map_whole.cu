// Rows of elements of 64 bits by blocks that hold them exactly, so without a guard; neighbours along x are a row apart.
// ```toml
// kernel = "map_whole"
// arg = [
//   { name = "in", type = "f64", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "out", type = "f64", count = "m*n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [32, 16, 64, 48], large = 8192 }
// n = { small = [24, 16, 40, 8], large = 4096 }
// [launch]
// blocks = [[16, 8, 1], [8, 8, 1], [16, 4, 1]]
// grid = ["m / bx", "n / by", "1"]
// [bench]
// bytes = "16*m*n"
// flops = "m*n"
// ```
__global__ void map_whole(const double *__restrict__ in, double *__restrict__ out, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    out[row * n + col] = in[row * n + col] * in[row * n + col];
}
