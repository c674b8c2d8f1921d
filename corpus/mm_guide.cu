// The CUDA guide's product: matrices as structs by value, one element of C per thread.
// ```toml
// kernel = "mm_guide"
// arg = [
//   { name = "A", fields = [
//     { type = "i32", value = "k" },
//     { type = "i32", value = "m" },
//     { name = "A.elements", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   ] },
//   { name = "B", fields = [
//     { type = "i32", value = "n" },
//     { type = "i32", value = "k" },
//     { name = "B.elements", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   ] },
//   { name = "C", fields = [
//     { type = "i32", value = "n" },
//     { type = "i32", value = "m" },
//     { name = "C.elements", type = "f32", count = "m*n", fill = "zero", output = true },
//   ] },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5], large = 2048 }
// n = { small = [29, 16, 1, 0], large = 2048 }
// k = { small = [53, 64, 0, 3], large = 2048 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// "A.elements" = "staged"
// "B.elements" = "staged"
// "C.elements" = "OnlyStored"
// [bench]
// bytes = "4*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// blas = { a = "A.elements", b = "B.elements", c = "C.elements", m = "m", n = "n", k = "k" }
// rows = [
//   { class = "large", at = { m = 4096, n = 4096, k = 4096 }, blocks = [[16, 16, 1], [32, 8, 1], [32, 32, 1], [8, 8, 1]] },
//   { class = "l2", at = { m = 512, n = 512, k = 512 }, blocks = [[16, 16, 1]] },
//   { class = "odd", at = { m = 1000, n = 1000, k = 1000 }, blocks = [[16, 16, 1]] },
//   { class = "odd", at = { m = 1023, n = 1023, k = 1023 }, blocks = [[16, 16, 1]] },
//   { class = "odd", at = { m = 2056, n = 2056, k = 2056 }, blocks = [[16, 16, 1]] },
// ]
// ```
struct Matrix {
    int width;
    int height;
    float *elements;
};

__global__ void mm_guide(const Matrix A, const Matrix B, Matrix C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < A.height && col < B.width) {
        float sum = 0.0f;
        for (int e = 0; e < A.width; ++e)
            sum += A.elements[row * A.width + e] * B.elements[e * B.width + col];
        C.elements[row * C.width + col] = sum;
    }
}
