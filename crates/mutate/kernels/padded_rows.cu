// Sums of rows that begin at multiples of 16 bytes and end anywhere, the last one with the array.
// ```toml
// kernel = "padded_rows"
// arg = [
//   { name = "a", type = "f32", count = "(m - 1)*pitch + n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "pitch", type = "i32", value = "pitch" },
// ]
// [sizes]
// m = { small = [64, 70], large = 16384 }
// n = { small = [37, 42], large = 4095 }
// pitch = { small = [40, 48], large = 4096 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// a = "staged"
// y = "OnlyStored"
// ```
__global__ void padded_rows(const float *__restrict__ a, float *__restrict__ y, int m, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    float sum = 0.0f;
    for (int j = 0; j < n; j++)
        sum += a[i * pitch + j];
    y[i] = sum;
}
