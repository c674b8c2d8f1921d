// The lower triangle updated in place: writing a box back would write the upper one too.
// ```toml
// kernel = "trip_in_place"
// arg = [
//   { name = "x", type = "f32", count = "n*m*m", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [20, 7, 1, 0], large = 4096 }
// m = { small = [21, 5, 3, 1], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1], [1, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// [bench]
// bytes = "4*n*m*(m - 1)"
// flops = "n*m*(m - 1)"
// ```
__global__ void trip_in_place(float *x, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int a = 0; a < m; a++)
            for (int k = 0; k < a; k++)
                x[(i * m + a) * m + k] = x[(i * m + a) * m + k] * 0.5f + a;
    }
}
