// One step of an LU factorisation in place: the pivot row and column are read, the rest is updated.
// ```toml
// kernel = "lu_step"
// arg = [
//   { name = "a", type = "f32", count = "n*n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "n/3" },
// ]
// [sizes]
// n = { small = [45, 16, 2, 0], large = 4096 }
// [launch]
// blocks = [[32, 8, 1], [16, 16, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "1"]
// [bench]
// bytes = "8*(n - n/3)*(n - n/3)"
// flops = "2*(n - n/3)*(n - n/3)"
// ```
__global__ void lu_step(float *a, int n, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > k && j > k && i < n && j < n)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
}
