// A volume stored with z innermost, as arrays of C are, of which threads along x have planes; in place, in blocks of
// a few threads along each axis.
// ```toml
// kernel = "map_volume"
// arg = [
//   { name = "a", type = "f32", count = "nx*ny*nz", fill = "uniform(-1,1)", output = true },
//   { name = "b", type = "f32", count = "nx*ny*nz", fill = "uniform(-1,1)" },
//   { name = "nx", type = "i32", value = "nx" },
//   { name = "ny", type = "i32", value = "ny" },
//   { name = "nz", type = "i32", value = "nz" },
// ]
// [sizes]
// nx = { small = [11, 8, 3, 1], large = 512 }
// ny = { small = [19, 9, 3, 1], large = 512 }
// nz = { small = [33, 8, 3, 0], large = 512 }
// [launch]
// blocks = [[8, 8, 4], [32, 4, 2], [5, 3, 2]]
// grid = ["(nx + bx - 1) / bx", "(ny + by - 1) / by", "(nz + bz - 1) / bz"]
// [bench]
// bytes = "12*nx*ny*nz"
// flops = "2*nx*ny*nz"
// ```
__global__ void map_volume(float *a, const float *b, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < nx && y < ny && z < nz)
        a[(x * ny + y) * nz + z] += 0.5f * b[(x * ny + y) * nz + z];
}
