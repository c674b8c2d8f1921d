// A triangle walked along its diagonals: a copy of the bounding box would read past the end.
// ```toml
// kernel = "trip_shrinking"
// arg = [
//   { name = "x", type = "f32", count = "m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [100, 37, 1, 0], large = 65536 }
// m = { small = [20, 33, 7, 3], large = 128 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1], [1, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "4*n"
// flops = "n*m*(m + 1)/2"
// ```
__global__ void trip_shrinking(const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = 0;
        for (int a = 0; a < m; a++)
            for (int k = 0; k < m - a; k++)
                s += x[a + k];
        y[i] = s;
    }
}
