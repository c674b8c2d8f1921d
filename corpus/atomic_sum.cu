// Every thread adds its dot product to one of a few cells atomically; the integers make the order
// irrelevant.
// ```toml
// kernel = "atomic_sum"
// arg = [
//   { name = "x", type = "i32", count = "n+t", fill = "index(100)" },
//   { name = "w", type = "i32", count = "t", fill = "index(100)" },
//   { name = "sums", type = "u32", count = "7", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "taps", type = "i32", value = "t" },
// ]
// [sizes]
// n = { small = [500, 65, 1, 0], large = 16777216 }
// t = { small = [21, 32, 3, 0], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// sums = "staged"
// x = "NotProfitable"
// w = "NotProfitable"
// [bench]
// bytes = "4*n"
// flops = "2*n*t"
// ```
__global__ void atomic_sum(const int *x, const int *w, unsigned *sums, int n, int taps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned sum = 0;
        for (int k = 0; k < taps; k++)
            sum += x[i + k] * w[k];
        atomicAdd(&sums[i % 7], sum);
    }
}
