// A step of a wave in three dimensions: neighbours up to two cells away along each axis, and what was there a step before.
// Unsigned numbers, sizes in a struct, an if around it all, no restrict.
// ```toml
// kernel = "wave_planes"
// arg = [
//   { name = "now", type = "f32", count = "nx*ny*nz", fill = "uniform(-1,1)" },
//   { name = "next", type = "f32", count = "nx*ny*nz", fill = "uniform(-1,1)", output = true },
//   { name = "size", fields = [{ type = "u32", value = "nx" }, { type = "u32", value = "ny" }, { type = "u32", value = "nz" }] },
// ]
// [sizes]
// nx = { small = [33, 12, 9, 5], large = 1280 }
// ny = { small = [19, 11, 9, 5], large = 1280 }
// nz = { small = [37, 10, 9, 5], large = 160 }
// [launch]
// blocks = [[32, 4, 1], [8, 8, 4], [5, 3, 2]]
// grid = ["(nx + bx - 1) / bx", "(ny + by - 1) / by", "(nz + bz - 1) / bz"]
// [expect]
// now = "staged"
// next = "staged"
// [bench]
// bytes = "12*nx*ny*nz"
// flops = "18*nx*ny*nz"
// rows = [
//   { class = "l2", at = { nx = 480, ny = 480, nz = 24 } },
//   { class = "grid", at = { nx = 32, ny = 16, nz = 24 } },
// ]
// ```
struct size { unsigned nx, ny, nz; };

__global__ void wave_planes(const float *now, float *next, size s)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= 2 && y >= 2 && z >= 2 && x < s.nx - 2 && y < s.ny - 2 && z < s.nz - 2) {
        unsigned plane = s.nx * s.ny, c = z * plane + y * s.nx + x;
        float here = now[c];
        float near = now[c - 1] + now[c + 1] + now[c - s.nx] + now[c + s.nx] + now[c - plane] + now[c + plane];
        float far = now[c - 2] + now[c + 2] + now[c - 2 * s.nx] + now[c + 2 * s.nx] + now[c - 2 * plane] + now[c + 2 * plane];
        next[c] = 2 * here - next[c] + 0.1f * (1.33f * near - 0.083f * far - 7.5f * here);
    }
}
