// Columns of a field, each element made of itself and of what was carried down to it, in place.
// ```toml
// kernel = "column_in_place"
// arg = [
//   { name = "a", type = "f32", count = "n*m", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [130, 33, 1], large = 65536 }
// m = { small = [19, 8, 1], large = 512 }
// [launch]
// blocks = [[128, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "8*n*m"
// ```
__global__ void column_in_place(float *a, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float t = 0;
    for (int k = 0; k < m; k++) {
        float x = a[k * n + i];
        t = x > t ? x : t * 0.5f;
        if (t > 0.25f) a[k * n + i] = t;
    }
}
