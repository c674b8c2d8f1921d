// Places on both sides of a middle, in a grid-stride loop: quotients and remainders of negative numbers, in 32 and 64 bits.
// ```toml
// kernel = "divide_signed"
// arg = [
//   { name = "a", type = "i32", count = "n", fill = "index(1000000)" },
//   { name = "o", type = "i32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "middle", type = "i64", value = "n/2" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "p", type = "i64", value = "p" },
// ]
// [sizes]
// n = { small = [1000, 300, 77, 1], large = 16777216 }
// m = { small = [7, 1, 1000000, 2], large = 37 }
// p = { small = [5, 2, 1, 2147483647], large = 1000 }
// [launch]
// blocks = [[256, 1, 1], [33, 1, 1]]
// grid = ["1 + n/1024", "1", "1"]
// [bench]
// bytes = "8*n"
// flops = "0"
// ```
__global__ void divide_signed(const int *a, int *o, int n, long long middle, int m, long long p)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        long long place = (i - middle) * 1000;
        int value = a[i] - 500000;
        o[i] = value / m + 3 * (value % m) + (int)(place / p) + 3 * (int)(place % p);
    }
}
