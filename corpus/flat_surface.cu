// The surface of a volume takes a value; a thread for each place of the volume, by a flattened id.
// ```toml
// kernel = "flat_surface"
// arg = [
//   { name = "a", type = "f32", count = "n*n*n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "v", type = "f32", value = 0.5 },
// ]
// [sizes]
// n = { small = [37, 24, 17, 9, 1, 70], large = 512 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n*n*n + bx - 1) / bx + 1", "1", "1"]
// [expect]
// a = "OnlyStored"
// [bench]
// bytes = "24*n*n"
// flops = "0"
// ```
__global__ void flat_surface(float *a, int n, float v)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n * n * n)
        return;
    int x = id % n;
    int y = id / n % n;
    int z = id / (n * n);
    if (x == 0 || x == n - 1 || y == 0 || y == n - 1 || z == 0 || z == n - 1)
        a[id] = v;
}
