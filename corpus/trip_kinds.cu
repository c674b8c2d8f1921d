// Loops whose length depends on the thread, counted in many ways: up and down, by one and by more, to a bound or
// past it, in 32 and 64 bits. Whoever runs several iterations at once must count each of them right.
// ```toml
// kernel = "trip_kinds"
// arg = [
//   { name = "x", type = "f32", count = "n+8", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [70, 33, 1, 0], large = 4096 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "5*n*n"
// ```
__global__ void trip_kinds(const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f;
    for (int k = 0; k <= i; k += 2)
        s += x[k] * 0.5f;
    for (int k = n - 1; k > i; k--)
        s -= x[k];
    for (long long k = i; k < n; k++)
        s += x[k] * x[k + 1];
    int last = 0;
    for (unsigned k = 0; k != (unsigned)i; k++) {
        s *= 1.0f - x[k] * x[k];
        last = k;
    }
    for (int k = n; k >= i + 2; k -= 4)
        s += x[k - 1] * (k - last);
    y[i] = s;
}
