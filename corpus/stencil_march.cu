// Five-point planes marched along z: the z loop is inside the thread.
// ```toml
// kernel = "stencil_march"
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
// blocks = [[64, 4, 1], [16, 16, 1], [7, 5, 1]]
// grid = ["(nx + bx - 1) / bx", "(ny + by - 1) / by", "1"]
// [expect]
// in = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "8*nx*ny*nz"
// flops = "8*nx*ny*nz"
// ```
__global__ void stencil_march(const float *in, float *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    int plane = nx * ny;
    for (int z = 1; z < nz - 1; z++) {
        int c = z * plane + y * nx + x;
        out[c] = 0.4f * in[c] + 0.1f * (in[c - 1] + in[c + 1] + in[c - nx] + in[c + nx] +
                                       in[c - plane] + in[c + plane]);
    }
}
