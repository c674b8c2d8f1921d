// The surface of a volume takes a value; a thread for each place of the volume.
// ```toml
// kernel = "surface"
// arg = [
//   { name = "a", type = "f32", count = "n*n*n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "v", type = "f32", value = 0.5 },
// ]
// [sizes]
// n = { small = [37, 24, 17, 9, 1, 0], large = 512 }
// [launch]
// blocks = [[32, 8, 1], [4, 4, 4], [5, 3, 2]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "(n + bz - 1) / bz"]
// [expect]
// a = "OnlyStored"
// [bench]
// bytes = "24*n*n"
// flops = "0"
// ```
__global__ void surface(float *a, int n, float v)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= n || y >= n || z >= n)
        return;
    if (x == 0 || x == n - 1 || y == 0 || y == n - 1 || z == 0 || z == n - 1)
        a[(z * n + y) * n + x] = v;
}
