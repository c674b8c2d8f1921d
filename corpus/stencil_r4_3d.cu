// Radius-4 star stencil in three dimensions with coefficients in an array.
// ```toml
// kernel = "stencil_r4_3d"
// arg = [
//   { name = "in", type = "f32", count = "nx*ny*nz", fill = "uniform(-1,1)" },
//   { name = "coef", type = "f32", count = "5", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "nx*ny*nz", fill = "zero", output = true },
//   { name = "nx", type = "i32", value = "nx" },
//   { name = "ny", type = "i32", value = "ny" },
//   { name = "nz", type = "i32", value = "nz" },
// ]
// [sizes]
// nx = { small = [33, 12, 9, 1], large = 480 }
// ny = { small = [19, 11, 9, 1], large = 480 }
// nz = { small = [11, 10, 9, 0], large = 480 }
// [launch]
// blocks = [[32, 4, 1], [8, 8, 4], [5, 3, 2]]
// grid = ["(nx + bx - 1) / bx", "(ny + by - 1) / by", "(nz + bz - 1) / bz"]
// [expect]
// in = "staged"
// out = "OnlyStored"
// coef = "staged"
// [bench]
// bytes = "8*nx*ny*nz"
// flops = "29*nx*ny*nz"
// rows = [
//   { class = "grid", at = { nx = 32, ny = 16, nz = 24 } },
// ]
// ```
#define R 4

__global__ void stencil_r4_3d(const float *__restrict__ in, const float *__restrict__ coef,
                              float *__restrict__ out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < R || y < R || z < R || x >= nx - R || y >= ny - R || z >= nz - R)
        return;
    int plane = nx * ny;
    int c = z * plane + y * nx + x;
    float sum = coef[0] * in[c];
    for (int r = 1; r <= R; r++)
        sum += coef[r] * (in[c - r] + in[c + r] + in[c - r * nx] + in[c + r * nx] +
                          in[c - r * plane] + in[c + r * plane]);
    out[c] = sum;
}
