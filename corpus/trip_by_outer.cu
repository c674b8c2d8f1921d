// Correlation by lag: how often the inner loop runs depends on the outer one, and both move the index.
// ```toml
// kernel = "trip_by_outer"
// arg = [
//   { name = "x", type = "f32", count = "m+n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n*m", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [100, 37, 1, 0], large = 65536 }
// m = { small = [21, 33, 7, 3], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "4*n*m"
// flops = "n*m*(m + 1)"
// ```
__global__ void trip_by_outer(const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int a = 0; a < m; a++) {
            float s = 0;
            for (int k = a; k < m; k++)
                s += x[k] * x[k - a];
            y[a * n + i] = s;
        }
    }
}
