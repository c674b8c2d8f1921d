// Sums of rows by what the elements are, unrolled twice by hand, in unsigned integers.
// ```toml
// kernel = "unrolled_rows"
// arg = [
//   { name = "a", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "sums", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "u32", value = "m" },
//   { name = "n", type = "u32", value = "n" },
// ]
// [sizes]
// m = { small = [70, 33, 1, 64], large = 16384 }
// n = { small = [37, 64, 1, 0], large = 4096 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// a = "staged"
// sums = "OnlyStored"
// [bench]
// bytes = "4*m*n"
// flops = "2*m*n"
// ```
__global__ void unrolled_rows(const float *a, float *sums, unsigned m, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    float s = 0.0f;
    unsigned j = 0;
    for (; j + 2 <= n; j += 2) {
        float x = a[i * n + j];
        if (x > 0.0f)
            s += x;
        x = a[i * n + j + 1];
        if (x > 0.0f)
            s += x;
    }
    for (; j < n; j++) {
        float x = a[i * n + j];
        if (x > 0.0f)
            s += x;
    }
    sums[i] = s;
}
