// The surface of a volume in 64-bit indices, those of its inside return early.
// ```toml
// kernel = "surface_size_t"
// arg = [
//   { name = "in", type = "f32", count = "n*n*n", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "n*n*n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "u64", value = "n" },
// ]
// [sizes]
// n = { small = [37, 24, 17, 9, 1, 0], large = 512 }
// [launch]
// blocks = [[32, 8, 1], [4, 4, 4], [5, 3, 2]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "(n + bz - 1) / bz"]
// [expect]
// out = "OnlyStored"
// [bench]
// bytes = "48*n*n"
// flops = "6*n*n"
// ```
__global__ void surface_size_t(const float *in, float *out, size_t n)
{
    size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    size_t z = (size_t)blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= n || y >= n || z >= n)
        return;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1 && z > 0 && z < n - 1)
        return;
    size_t i = (z * n + y) * n + x;
    out[i] = 2.0f * in[i];
}
