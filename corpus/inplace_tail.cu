// Within one row per thread the tail is rewritten while the head is still read: the load and the store
// of one array meet in the loop.
// ```toml
// kernel = "inplace_tail"
// arg = [
//   { name = "x", type = "f32", count = "m*n", fill = "uniform(-1,1)", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "shift", type = "i32", value = "s" },
// ]
// [sizes]
// m = { small = [200, 65, 1, 0, 70], large = 16384 }
// n = { small = [37, 32, 3, 1, 48], large = 2048 }
// s = { small = [1, 4, 2, 0, 16], large = 3 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "8*m*n"
// flops = "2*m*n"
// ```
__global__ void inplace_tail(float *x, int m, int n, int shift)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m)
        for (int j = 0; j + shift < n; j++)
            x[i * n + j + shift] = 0.5f * x[i * n + j] + x[i * n + j + shift];
}
