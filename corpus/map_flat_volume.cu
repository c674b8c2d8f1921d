// Flattened ids of a volume taken apart with the number that is stored outermost first: neighbouring threads are a plane
// apart.
// ```toml
// kernel = "map_flat_volume"
// arg = [
//   { name = "in", type = "f32", count = "nx*ny*nz", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "nx*ny*nz", fill = "zero", output = true },
//   { name = "nx", type = "i32", value = "nx" },
//   { name = "ny", type = "i32", value = "ny" },
//   { name = "nz", type = "i32", value = "nz" },
// ]
// [sizes]
// nx = { small = [11, 8, 9, 1], large = 512 }
// ny = { small = [19, 9, 3, 1], large = 512 }
// nz = { small = [33, 8, 3, 0], large = 512 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(nx*ny*nz + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "8*nx*ny*nz"
// flops = "2*nx*ny*nz"
// ```
__global__ void map_flat_volume(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= nx * ny * nz)
        return;
    int x = id % nx;
    int y = id / nx % ny;
    int z = id / (nx * ny);
    out[(x * ny + y) * nz + z] = 2.0f * in[(x * ny + y) * nz + z] + 1.0f;
}
