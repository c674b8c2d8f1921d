// Gravity of all bodies on each body, float4 positions.
// ```toml
// kernel = "nbody"
// arg = [
//   { name = "pos", type = "f32", count = "4*n", fill = "uniform(-1,1)" },
//   { name = "acc", type = "f32", count = "4*n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [200, 65, 1, 0], large = 65536 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// pos = "staged"
// acc = "OnlyStored"
// [bench]
// bytes = "32*n"
// flops = "20*n*n"
// ```
__global__ void nbody(const float4 *pos, float4 *acc, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 me = pos[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int j = 0; j < n; j++) {
        float4 p = pos[j];
        float dx = p.x - me.x, dy = p.y - me.y, dz = p.z - me.z;
        float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
        float inv = 1.0f / sqrtf(d2);
        float s = p.w * inv * inv * inv;
        ax += dx * s;
        ay += dy * s;
        az += dz * s;
    }
    acc[i] = make_float4(ax, ay, az, 0.0f);
}
