// A step of diffusion in two dimensions by a flattened id, in double precision: what lies beyond an edge is zero, and loaded
// by nobody, so each neighbour's product stands in another block than the sum before it.
// ```toml
// kernel = "heat_step"
// arg = [
//   { name = "u", type = "f64", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "next", type = "f64", count = "n*n", fill = "zero", output = true },
//   { name = "n", type = "u32", value = "n" },
//   { name = "near", type = "f64", value = "0.1" },
//   { name = "own", type = "f64", value = "0.6" },
// ]
// [sizes]
// n = { small = [37, 16, 3, 1], large = 4096 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n*n + bx - 1) / bx", "1", "1"]
// [expect]
// u = "staged"
// next = "OnlyStored"
// [bench]
// bytes = "16*n*n"
// flops = "10*n*n"
// ```
__global__ void heat_step(const double *__restrict__ u, double *__restrict__ next, unsigned n, double near, double own)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n * n) {
        unsigned x = id % n;
        unsigned y = id / n;
        next[id] = own * u[id] + near * (x < n - 1 ? u[id + 1] : 0.0) + near * (x > 0 ? u[id - 1] : 0.0) +
                   near * (y < n - 1 ? u[id + n] : 0.0) + near * (y > 0 ? u[id - n] : 0.0);
    }
}
