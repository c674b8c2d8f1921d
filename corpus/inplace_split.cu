// The lower half of one array is read by all threads, the upper half written: one base pointer, two
// ranges.
// ```toml
// kernel = "inplace_split"
// arg = [
//   { name = "x", type = "f32", count = "2*n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [200, 65, 1, 0], large = 32768 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "8*n"
// flops = "3*n*n"
// ```
__global__ void inplace_split(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
        for (int j = 0; j < n; j++)
            sum += x[j] * (j + 1);
        x[n + i] = sum + i;
    }
}
