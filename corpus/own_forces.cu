// Gravity between all bodies, which a block reads in tiles of its own. The builtin is what rsqrtf is
// ```toml
// kernel = "own_forces"
// arg = [
//   { name = "p", type = "f32", count = "4*n", fill = "uniform(-1,1)" },
//   { name = "a", type = "f32", count = "4*n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [700, 256, 1, 0], large = 262144 }
// [launch]
// blocks = [[256, 1, 1]]
// grid = ["(n + 255) / 256", "1", "1"]
// [bench]
// flops = "20*n*n"
// ```
#define T 256

__global__ void own_forces(const float4 *p, float4 *a, int n)
{
    __shared__ float4 tile[T];
    int i = blockIdx.x * T + threadIdx.x;
    float4 mine = i < n ? p[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float x = 0.0f, y = 0.0f, z = 0.0f;
    for (int first = 0; first < n; first += T) {
        int j = first + threadIdx.x;
        tile[threadIdx.x] = j < n ? p[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
        for (int k = 0; k < T; k++) {
            float dx = tile[k].x - mine.x, dy = tile[k].y - mine.y, dz = tile[k].z - mine.z;
            float square = dx * dx + dy * dy + dz * dz + 0.01f;
            float inverse = __nvvm_rsqrt_approx_f(square);
            float f = tile[k].w * inverse * inverse * inverse;
            x += f * dx;
            y += f * dy;
            z += f * dz;
        }
        __syncthreads();
    }
    if (i < n)
        a[i] = make_float4(x, y, z, 0.0f);
}
