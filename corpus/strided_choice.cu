// By the grid's size: what is above a limit is counted, the rest is mixed; the counter may not be said not to wrap around.
// ```toml
// kernel = "strided_choice"
// arg = [
//   { name = "x", type = "i32", count = "n", fill = "uniform(-50,50)" },
//   { name = "y", type = "i32", count = "gx*bx", fill = "zero", output = true },
//   { name = "above", type = "i32", count = "1", fill = "zero", output = true },
//   { name = "n", type = "u32", value = "n" },
//   { name = "limit", type = "i32", value = "20" },
// ]
// [sizes]
// n = { small = [1000, 64, 1, 0, 5003], large = 33554432 }
// gx = { small = [3, 1, 2, 1, 2], large = 528 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["gx", "1", "1"]
// [expect]
// above = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "4*n"
// ```
__global__ void strided_choice(const int *__restrict__ x, int *__restrict__ y, int *__restrict__ above, unsigned n, int limit)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x, mixed = id;
    for (unsigned i = id; i < n; i += gridDim.x * blockDim.x) {
        int v = x[i];
        if (v > limit)
            atomicAdd(above, 1);
        else
            mixed = mixed * 5 ^ v;
    }
    y[id] = mixed;
}
