// Sums in memory over rows that lie backwards, a negative pitch apart: which of two arrays ends first hangs on the pitch's sign.
// ```toml
// kernel = "back_rows"
// arg = [
//   { name = "a", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "s", type = "f32", count = "m*n", fill = "uniform(-1,1)", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "first", type = "i32", value = "(m-1)*n" },
//   { name = "pitch", type = "i32", value = "-n" },
// ]
// alias = [
//   { arg = "s", of = "a", offset = "0" },
//   { arg = "s", of = "a", offset = "1" },
//   { arg = "s", of = "a", offset = "n-1" },
//   { arg = "s", of = "a", offset = "m*n" },
// ]
// [sizes]
// m = { small = [100, 65, 3], large = 8192 }
// n = { small = [37, 32, 2], large = 2048 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// a = "staged"
// [bench]
// bytes = "4*m*n"
// flops = "2*m*n"
// ```
__global__ void back_rows(const float *a, float *s, int m, int n, int first, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m)
        for (int k = 0; k < n; k++)
            s[first + i * pitch] += a[first + i * pitch + k] * 0.75f;
}
