// Matrix product by a flattened unsigned id whose rows have a power of two: shifts and masks.
// ```toml
// kernel = "flat_mm_fixed"
// arg = [
//   { name = "A", type = "f32", count = "m*256", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "256*256", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "m*256", fill = "zero", output = true },
//   { name = "total", type = "u32", value = "m*256" },
// ]
// [sizes]
// m = { small = [5, 16, 1, 0], large = 8192 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1]]
// grid = ["(m*256 + bx - 1) / bx + 1", "1", "1"]
// [expect]
// A = "staged"
// B = "staged"
// C = "OnlyStored"
// [bench]
// bytes = "4*(2*m*256 + 256*256)"
// flops = "2*m*256*256"
// ```
__global__ void flat_mm_fixed(const float *A, const float *B, float *C, unsigned total)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= total)
        return;
    unsigned row = id / 256;
    unsigned col = id % 256;
    float sum = 0.0f;
    for (unsigned i = 0; i < 256; i++)
        sum += A[row * 256 + i] * B[i * 256 + col];
    C[id] = sum;
}
