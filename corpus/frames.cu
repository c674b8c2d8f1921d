// The frames of images of a fixed size take a value: clang makes switches of the chains of comparisons.
// ```toml
// kernel = "frames"
// arg = [
//   { name = "a", type = "f32", count = "n*128*128", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "v", type = "f32", value = 0.5 },
// ]
// [sizes]
// n = { small = [3, 2, 1, 0], large = 4096 }
// [launch]
// blocks = [[4, 4, 4], [32, 8, 1], [8, 2, 3]]
// grid = ["(128 + bx - 1) / bx", "(128 + by - 1) / by", "(n + bz - 1) / bz"]
// [bench]
// bytes = "2032*n"
// flops = "0"
// ```
__global__ void frames(float *a, int n, float v)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= 128 || y >= 128 || z >= n)
        return;
    if (y == 0)
        a[(z * 128 + y) * 128 + x] = v;
    else if (y == 127)
        a[(z * 128 + y) * 128 + x] = v + 1;
    else if (x == 0)
        a[(z * 128 + y) * 128 + x] = v + 2;
    else if (x == 127)
        a[(z * 128 + y) * 128 + x] = v + 3;
}
