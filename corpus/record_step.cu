// Bodies moved on by their velocities: records of four numbers, of which each field is loaded by itself.
// ```toml
// kernel = "record_step"
// arg = [
//   { name = "bodies", type = "f32", count = "4*n", fill = "uniform(-1,1)", output = true },
//   { name = "velocities", type = "f32", count = "4*n", fill = "uniform(-1,1)" },
//   { name = "order", type = "i32", count = "n", fill = "index(n)" },
//   { name = "dt", type = "f32", value = "0.125" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [1000, 256, 1, 0, 517], large = 16777216 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "52*n"
// flops = "6*n"
// ```
struct Body {
    float x, y, z, mass;
};

__global__ void record_step(Body *bodies, const Body *velocities, const int *order, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Body b = bodies[i], v = velocities[order[i]];
    b.x += v.x * dt;
    b.y += v.y * dt;
    b.z += v.z * dt;
    b.mass = v.mass;
    bodies[i] = b;
}
