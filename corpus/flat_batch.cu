// A batch of matrix products by a flattened unsigned id; how many elements a matrix and all of them have is told.
// ```toml
// kernel = "flat_batch"
// arg = [
//   { name = "A", type = "f32", count = "p*m*m", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "p*m*m", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "p*m*m", fill = "zero", output = true },
//   { name = "m", type = "u32", value = "m" },
//   { name = "size", type = "u32", value = "m*m" },
//   { name = "all", type = "u32", value = "p*m*m" },
// ]
// [sizes]
// m = { small = [37, 16, 9, 5], large = 512 }
// p = { small = [3, 1, 5, 2], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(p*m*m + bx - 1) / bx", "1", "1"]
// [expect]
// A = "staged"
// B = "staged"
// C = "OnlyStored"
// [bench]
// bytes = "12*p*m*m"
// flops = "2*p*m*m*m"
// ```
__global__ void flat_batch(const float *A, const float *B, float *C, unsigned m, unsigned size,
                           unsigned all)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= all)
        return;
    unsigned matrix = id / size;
    unsigned cell = id % size;
    unsigned row = cell / m;
    unsigned col = cell % m;
    float sum = 0.0f;
    for (unsigned i = 0; i < m; i++)
        sum += A[matrix * size + row * m + i] * B[matrix * size + i * m + col];
    C[id] = sum;
}
