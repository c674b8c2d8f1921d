// One step on an array of seven-float structs, in place, each thread its own struct.
// ```toml
// kernel = "aos_update"
// arg = [
//   { name = "cells", type = "f32", count = "7*n", fill = "uniform(-1,1)", output = true },
//   { name = "dt", type = "f32", value = "0.125" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [300, 65, 1, 0], large = 16777216 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "56*n"
// ```
struct Cell {
    float a, b, c, d, e, f, g;
};

__global__ void aos_update(Cell *cells, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Cell v = cells[i];
    v.a += dt * v.b;
    v.b += dt * v.c;
    v.c += dt * (v.d - v.e);
    v.f = v.g * dt;
    cells[i] = v;
}
