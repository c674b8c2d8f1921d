// A counter that wraps around before it comes to its end.
// ```toml
// kernel = "wrapping_steps"
// arg = [
//   { name = "x", type = "i32", count = "256", fill = "uniform(-50,50)" },
//   { name = "y", type = "i32", count = "gx*bx", fill = "zero", output = true },
//   { name = "n", type = "u32", value = "n" },
//   { name = "step", type = "u32", value = "step" },
// ]
// [sizes]
// n = { small = [4026531840, 3758096384, 1000, 50331648], large = 4026531840 }
// step = { small = [939524096, 50331648, 3, 1048576], large = 939524096 }
// gx = { small = [1, 2, 2, 1], large = 2 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["gx", "1", "1"]
// [expect]
// ```
__global__ void wrapping_steps(const int *__restrict__ x, int *__restrict__ y, unsigned n, unsigned step)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x, mixed = id;
    for (unsigned i = threadIdx.x * 1024; i < n; i += step) {
        int v = x[i >> 24];
        if (v > 20)
            mixed += v;
        else
            mixed = mixed * 5 ^ v;
    }
    y[id] = mixed;
}
