// Sparse matrix times vector in compressed rows: bounds and columns are data.
// ```toml
// kernel = "csr"
// arg = [
//   { name = "start", type = "i32", count = "m+1", fill = "iota" },
//   { name = "column", type = "i32", count = "m+1", fill = "index(64)" },
//   { name = "value", type = "f32", count = "m+1", fill = "uniform(-1,1)" },
//   { name = "x", type = "f32", count = "64", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "rows", type = "i32", value = "m" },
// ]
// [sizes]
// m = { small = [300, 65, 1, 0], large = 4194304 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// x = "NotAffine"
// y = "OnlyStored"
// [bench]
// bytes = "16*m"
// flops = "2*m"
// ```
__global__ void csr(const int *start, const int *column, const float *value, const float *x,
                    float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int k = start[row]; k < start[row + 1]; k++)
            sum += value[k] * x[column[k]];
        y[row] = sum;
    }
}
