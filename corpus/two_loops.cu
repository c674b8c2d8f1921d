// Two loops one after the other over different arrays, the second after an exit of some threads.
// ```toml
// kernel = "two_loops"
// arg = [
//   { name = "a", type = "f32", count = "m", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "n+m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "limit", type = "i32", value = "n/2" },
// ]
// [sizes]
// n = { small = [500, 65, 1, 0], large = 4194304 }
// m = { small = [21, 32, 3, 0], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// a = "staged"
// b = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "2*n*m + n*m/2"
// ```
__global__ void two_loops(const float *a, const float *b, float *y, int n, int m, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < m; k++)
        sum += a[k] * (i + k);
    y[i] = sum;
    if (i >= limit)
        return;
    for (int k = 0; k < m; k++)
        sum += b[i + k];
    y[i] = sum;
}
