// The inner products of all columns of a matrix of signed bytes: one operand twice, array and lengths in a struct.
// ```toml
// kernel = "gram_i8"
// arg = [
//   { name = "g", fields = [
//     { name = "g.data", type = "i8", count = "k*n", fill = "uniform(-128,127)" },
//     { type = "i32", value = "n" },
//     { type = "i32", value = "k" },
//   ] },
//   { name = "C", type = "i32", count = "n*n", fill = "zero", output = true },
// ]
// [sizes]
// n = { small = [37, 16, 1, 150], large = 2048 }
// k = { small = [53, 64, 3, 80], large = 2048 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "1"]
// [bench]
// bytes = "n*k + 4*n*n"
// flops = "2*n*n*k"
// unit = "i32"
// rows = [
//   { class = "large", blocks = [[16, 16, 1]] },
// ]
// ```
struct Columns {
    const signed char *data;
    int n, k;
};

__global__ void gram_i8(Columns g, int *C)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    size_t j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < g.n && j < g.n) {
        int sum = 0;
        for (int l = 0; l < g.k; l++)
            sum += g.data[l * g.n + i] * g.data[l * g.n + j];
        C[j * g.n + i] = sum;
    }
}
