// Seven-point stencil in three dimensions, one point per thread.
// ```toml
// kernel = "stencil7_3d"
// arg = [
//   { name = "in", type = "f32", count = "nx*ny*nz", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "nx*ny*nz", fill = "zero", output = true },
//   { name = "nx", type = "i32", value = "nx" },
//   { name = "ny", type = "i32", value = "ny" },
//   { name = "nz", type = "i32", value = "nz" },
// ]
// [sizes]
// nx = { small = [33, 8, 3, 1], large = 512 }
// ny = { small = [19, 9, 3, 1], large = 512 }
// nz = { small = [11, 7, 3, 0], large = 512 }
// [launch]
// blocks = [[32, 4, 2], [8, 8, 4], [5, 3, 2]]
// grid = ["(nx + bx - 1) / bx", "(ny + by - 1) / by", "(nz + bz - 1) / bz"]
// [expect]
// in = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "8*nx*ny*nz"
// flops = "8*nx*ny*nz"
// ```
__global__ void stencil7_3d(const float *in, float *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
        return;
    int plane = nx * ny;
    int c = z * plane + y * nx + x;
    out[c] = in[c - 1] + in[c + 1] + in[c - nx] + in[c + nx] + in[c - plane] + in[c + plane] -
             6.0f * in[c];
}
