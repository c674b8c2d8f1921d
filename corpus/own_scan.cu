// Sums of all elements up to each, block by block, in a shared array of its own.
// ```toml
// kernel = "own_scan"
// arg = [
//   { name = "x", type = "i32", count = "n", fill = "index(1000)" },
//   { name = "y", type = "i32", count = "n", fill = "zero", output = true },
//   { name = "sums", type = "i32", count = "n/256+1", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [700, 256, 1, 1025], large = 33554432 }
// [launch]
// blocks = [[256, 1, 1]]
// grid = ["(n + 255) / 256", "1", "1"]
// [bench]
// bytes = "8*n"
// ```
#define T 256

__global__ void own_scan(const int *x, int *y, int *sums, int n)
{
    __shared__ int part[T];
    int t = threadIdx.x, i = blockIdx.x * T + t;
    part[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int step = 1; step < T; step *= 2) {
        int before = t >= step ? part[t - step] : 0;
        __syncthreads();
        part[t] += before;
        __syncthreads();
    }
    if (i < n)
        y[i] = part[t];
    if (t == T - 1)
        sums[blockIdx.x] = part[t];
}
