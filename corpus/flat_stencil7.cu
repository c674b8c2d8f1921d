// Seven-point stencil in three dimensions by a flattened id: x, y and z are taken from it.
// ```toml
// kernel = "flat_stencil7"
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
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(nx*ny*nz + bx - 1) / bx", "1", "1"]
// [expect]
// in = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "8*nx*ny*nz"
// flops = "8*nx*ny*nz"
// ```
__global__ void flat_stencil7(const float *in, float *out, int nx, int ny, int nz)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < nx * ny * nz) {
        int z = id / (nx * ny);
        int y = id / nx % ny;
        int x = id % nx;
        if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
            return;
        out[id] = in[id - 1] + in[id + 1] + in[id - nx] + in[id + nx] + in[id - nx * ny] +
                  in[id + nx * ny] - 6.0f * in[id];
    }
}
