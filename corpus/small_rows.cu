// A block of one thread for each row.
// ```toml
// kernel = "small_rows"
// arg = [
//   { name = "a", type = "f32", count = "n*m", fill = "uniform(-1,1)" },
//   { name = "o", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [70, 2, 1], large = 262144 }
// m = { small = [5, 0, 33], large = 24 }
// [launch]
// blocks = [[1, 1, 1]]
// grid = ["n", "1", "1"]
// [bench]
// bytes = "4*n*(m+1)"
// flops = "2*n*m"
// ```
__global__ void small_rows(const float *a, float *o, int n, int m)
{
    int row = blockIdx.x;
    float sum = 0;
    for (int j = 0; j < m; j++) {
        float x = a[row * m + j];
        if (x > 0)
            sum += x * x;
    }
    o[row] = sum;
}
