// Every element is read once, coalesced: there is nothing to gain.
// ```toml
// kernel = "saxpy"
// arg = [
//   { name = "a", type = "f32", value = "2.5" },
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// alias = [
//   { arg = "y", of = "x", offset = "0" },
//   { arg = "y", of = "x", offset = "n" },
// ]
// [sizes]
// n = { small = [1000, 65, 1, 0], large = 67108864 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "12*n"
// flops = "2*n"
// ```
__global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
