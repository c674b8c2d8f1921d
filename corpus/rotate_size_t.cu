// Turns a square matrix by a right angle in place: all of its numbers are of 64 bits, unsigned.
// ```toml
// kernel = "rotate_size_t"
// arg = [
//   { name = "m", type = "f32", count = "n*n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "u64", value = "n" },
// ]
// [sizes]
// n = { small = [100, 65, 2, 1], large = 4096 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n / 2 + bx) / bx", "1", "1"]
// [expect]
// m = "WrittenInRegion"
// [bench]
// bytes = "8*n*n"
// flops = "0"
// ```
__global__ void rotate_size_t(float *m, size_t n)
{
    size_t layer = blockIdx.x * blockDim.x + threadIdx.x;
    if (layer < n / 2) {
        size_t first = layer, last = n - 1 - layer;
        for (size_t i = first; i < last; ++i) {
            size_t o = i - first;
            float top = m[first * n + i];
            m[first * n + i] = m[(last - o) * n + first];
            m[(last - o) * n + first] = m[last * n + (last - o)];
            m[last * n + (last - o)] = m[i * n + last];
            m[i * n + last] = top;
        }
    }
}
