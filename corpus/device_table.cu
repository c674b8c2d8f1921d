// A __device__ table is shared by all threads and another one is written.
// ```toml
// kernel = "device_table"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// global = [
//   { name = "table", type = "f32", count = "128", fill = "uniform(-1,1)" },
// ]
// [sizes]
// n = { small = [400, 65, 1, 0], large = 4194304 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// table = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "256*n"
// ```
#define TABLE 128

__device__ float table[TABLE];

__global__ void device_table(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
        for (int k = 0; k < TABLE; k++)
            sum = sum * x[i] + table[k];
        y[i] = sum;
    }
}
