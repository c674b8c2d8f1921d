// Exchanges the two halves of a square matrix across its diagonal: a thread for each row, from the diagonal on.
// ```toml
// kernel = "transpose_in_place"
// arg = [
//   { name = "a", type = "f32", count = "n*n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "u64", value = "n" },
// ]
// [sizes]
// n = { small = [100, 65, 2, 1], large = 4096 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// a = "WrittenInRegion"
// [bench]
// bytes = "8*n*n"
// flops = "0"
// ```
__global__ void transpose_in_place(float *a, size_t n)
{
    size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n)
        for (size_t col = row + 1; col < n; col++) {
            float upper = a[row * n + col];
            a[row * n + col] = a[col * n + row];
            a[col * n + row] = upper;
        }
}
