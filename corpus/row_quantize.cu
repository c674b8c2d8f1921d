// Rows of half precision to bytes, a block for each: a number of 64 bits for the row, restrict.
// ```toml
// kernel = "row_quantize"
// arg = [
//   { name = "o", type = "i8", count = "rows*n", fill = "zero", output = true },
//   { name = "a", type = "f16", count = "rows*n", fill = "uniform(-1,1)" },
//   { name = "scale", type = "f32", value = "0.0078125" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// rows = { small = [5, 3, 1, 2, 1030], large = 4096 }
// n = { small = [203, 64, 1, 0, 21], large = 4096 }
// [launch]
// blocks = [[256, 1, 1], [96, 1, 1], [33, 1, 1]]
// grid = ["rows", "1", "1"]
// [bench]
// bytes = "3*rows*n"
// flops = "4*rows*n"
// rows = [
//   { class = "odd", at = { rows = 4096, n = 5137 } },
//   { class = "grid", at = { rows = 16384, n = 768 } },
//   { class = "grid", at = { rows = 64, n = 100000 } },
// ]
// ```
typedef _Float16 half_t;

__global__ void row_quantize(signed char *__restrict__ o, const half_t *__restrict__ a, float scale, int n)
{
    long long row = blockIdx.x;
    o += row * n;
    a += row * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float x = rintf((float)a[i] / scale);
        x = x < -128 ? -128 : x > 127 ? 127 : x;
        o[i] = (signed char)x;
    }
}
