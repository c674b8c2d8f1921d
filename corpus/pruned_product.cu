// A product of matrices of which a mask says for each pair of row and term whether it counts: both are read under it alone.
// ```toml
// kernel = "pruned_product"
// arg = [
//   { name = "keep", type = "u8", count = "m*k", fill = "index(3)" },
//   { name = "a", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "c", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5, 64], large = 1024 }
// n = { small = [29, 16, 1, 0, 64], large = 1024 }
// k = { small = [53, 64, 0, 3, 70], large = 1024 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// a = "staged"
// b = "staged"
// c = "OnlyStored"
// [bench]
// bytes = "5*m*k + 4*k*n + 4*m*n"
// flops = "2*m*n*k"
// ```
__global__ void pruned_product(const unsigned char *keep, const float *a, const float *b, float *c, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float s = 0;
    for (int i = 0; i < k; i++)
        if (keep[row * k + i])
            s += a[row * k + i] * b[i * n + col];
    c[row * n + col] = s;
}
