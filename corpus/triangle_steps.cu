// Columns of a triangle, element by element, where nobody promised that the fields lie apart: an iteration's load waits
// for the store before it.
// ```toml
// kernel = "triangle_steps"
// arg = [
//   { name = "a", type = "f32", count = "n*m", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "n*m", fill = "uniform(-1,1)" },
//   { name = "c", type = "f32", count = "n*m", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// alias = [
//   { arg = "c", of = "a", offset = "0" },
//   { arg = "c", of = "a", offset = "n" },
//   { arg = "c", of = "a", offset = "m*n" },
// ]
// [sizes]
// n = { small = [33, 21, 1, 37], large = 8192 }
// m = { small = [40, 21, 1, 330], large = 8192 }
// [launch]
// blocks = [[128, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "4*n*m"
// ```
__global__ void triangle_steps(const float *a, const float *b, float *c, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float t = 0;
    for (int k = i; k < m; k++) {
        float x = a[k * n + i], y = b[k * n + i];
        t = x > t ? x * y : t * 0.5f;
        if (t < 100) c[k * n + i] = t;
    }
}
