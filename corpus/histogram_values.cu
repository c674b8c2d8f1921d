// A histogram of whole numbers that may be anything: those that are a bin are counted. Few bins lie in shared memory,
// many do not.
// ```toml
// kernel = "histogram_values"
// arg = [
//   { name = "data", type = "i32", count = "n", fill = "index(b + 3)" },
//   { name = "bins", type = "i32", count = "b", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "b", type = "i32", value = "b" },
// ]
// [sizes]
// n = { small = [1000, 3000, 65, 1, 0], large = 67108864 }
// b = { small = [40, 1500, 1024, 1025, 1], large = 256 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// bins = "staged"
// [bench]
// bytes = "4*n"
// ```
__global__ void histogram_values(const int *data, int *bins, int n, int b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = data[i];
        if (v >= 0 && v < b)
            atomicAdd(&bins[v], 1);
    }
}
