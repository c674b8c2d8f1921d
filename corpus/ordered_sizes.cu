// Two sums in order, of floats and of doubles: what lanes of a warp leave for each other has another size in each.
// ```toml
// kernel = "ordered_sizes"
// arg = [
//   { name = "a", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "b", type = "f64", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "sums", type = "f64", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [70, 33, 1, 64], large = 8192 }
// n = { small = [37, 64, 1, 0], large = 2048 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// a = "staged"
// b = "staged"
// sums = "OnlyStored"
// [bench]
// bytes = "12*m*n"
// flops = "2*m*n"
// ```
__global__ void ordered_sizes(const float *__restrict__ a, const double *__restrict__ b, double *__restrict__ sums,
                              int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[i * n + k];
    double t = s;
    for (int k = 0; k < n; k++)
        t += b[i * n + k];
    sums[i] = t;
}
