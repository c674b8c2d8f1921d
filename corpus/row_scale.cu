// Rows by their scale and columns by their weight, a block for each: blocks whose length is a constant of the code.
// ```toml
// kernel = "row_scale"
// arg = [
//   { name = "o", type = "f32", count = "rows*n", fill = "zero", output = true },
//   { name = "a", type = "f32", count = "rows*n", fill = "uniform(-1,1)" },
//   { name = "scale", type = "f32", count = "rows", fill = "uniform(0,2)" },
//   { name = "weight", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// rows = { small = [5, 3, 1, 2, 130], large = 4096 }
// n = { small = [403, 128, 1, 0, 21], large = 4096 }
// [launch]
// blocks = [[128, 1, 1]]
// grid = ["rows", "1", "1"]
// [bench]
// bytes = "8*rows*n"
// flops = "2*rows*n"
// rows = [
//   { class = "odd", at = { rows = 4096, n = 5137 } },
//   { class = "grid", at = { rows = 16384, n = 768 } },
// ]
// ```
template <int LENGTH>
__device__ void scaled(float *o, const float *a, float scale, const float *weight, int n)
{
    for (int i = threadIdx.x; i < n; i += LENGTH)
        o[i] = fmaxf(a[i] * scale, 0.0f) * weight[i];
}

__global__ void row_scale(float *o, const float *a, const float *scale, const float *weight, int n)
{
    size_t first = (size_t)blockIdx.x * n;
    scaled<128>(o + first, a + first, scale[blockIdx.x], weight, n);
}
