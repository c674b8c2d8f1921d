// Gravity on an array of structs, in place: positions are read, accelerations of the same structs
// written.
// ```toml
// kernel = "nbody_aos"
// arg = [
//   { name = "p", type = "f32", count = "7*n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [200, 65, 1, 0], large = 32768 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// p = "staged"
// [bench]
// bytes = "28*n"
// flops = "18*n*n"
// ```
struct Body {
    float x, y, z, mass;
    float ax, ay, az;
};

__global__ void nbody_aos(Body *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int j = 0; j < n; j++) {
        float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z;
        float s = p[j].mass / (dx * dx + dy * dy + dz * dz + 0.01f);
        ax += dx * s;
        ay += dy * s;
        az += dz * s;
    }
    p[i].ax = ax;
    p[i].ay = ay;
    p[i].az = az;
}
