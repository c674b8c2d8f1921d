// Mean over a window of planes of a solid: windows overlap from layer to layer of threads.
// ```toml
// kernel = "plane_mean"
// arg = [
//   { name = "x", type = "f32", count = "nx*ny*(nz+r)", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "nx*ny*nz", fill = "zero", output = true },
//   { name = "nx", type = "i32", value = "nx" },
//   { name = "ny", type = "i32", value = "ny" },
//   { name = "nz", type = "i32", value = "nz" },
//   { name = "r", type = "i32", value = "r" },
// ]
// [sizes]
// nx = { small = [33, 8, 3, 1], large = 400 }
// ny = { small = [9, 9, 3, 1], large = 400 }
// nz = { small = [11, 35, 3, 0], large = 400 }
// r = { small = [5, 3, 1, 2], large = 9 }
// [launch]
// blocks = [[32, 4, 2], [8, 8, 4], [5, 3, 2]]
// grid = ["(nx + bx - 1) / bx", "(ny + by - 1) / by", "(nz + bz - 1) / bz"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*nx*ny*nz"
// flops = "nx*ny*nz*r"
// ```
__global__ void plane_mean(const float *x, float *y, int nx, int ny, int nz, int r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i >= nx || j >= ny || k >= nz)
        return;
    float sum = 0.0f;
    for (int d = 0; d < r; d++)
        sum += x[((k + d) * ny + j) * nx + i];
    y[(k * ny + j) * nx + i] = sum / r;
}
