// The axes of four dimensions in reverse, written where elements go: a flat id is taken apart by run-time extents.
// ```toml
// kernel = "permute4_scatter"
// arg = [
//   { name = "in", type = "f32", count = "a*b*c*d", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "a*b*c*d", fill = "zero", output = true },
//   { name = "a", type = "i32", value = "a" },
//   { name = "b", type = "i32", value = "b" },
//   { name = "c", type = "i32", value = "c" },
//   { name = "d", type = "i32", value = "d" },
// ]
// [sizes]
// a = { small = [33, 1, 40, 7], large = 96 }
// b = { small = [5, 9, 2, 4], large = 12 }
// c = { small = [3, 4, 1, 0], large = 80 }
// d = { small = [37, 70, 64, 3], large = 200 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(a*b*c*d + bx - 1) / bx", "1", "1"]
// [expect]
// in = "staged"
// out = "staged"
// [bench]
// bytes = "8*a*b*c*d"
// flops = "0"
// ```
__global__ void permute4_scatter(const float *in, float *out, int a, int b, int c, int d)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= a * b * c * d)
        return;
    int l = t % d;
    int k = t / d % c;
    int j = t / (d * c) % b;
    int i = t / (d * c * b);
    out[((l * c + k) * b + j) * a + i] = in[t];
}
