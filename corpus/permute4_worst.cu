// The axes of four dimensions in reverse, by a flat id in an order that neither side has: all neighbours are far apart.
// ```toml
// kernel = "permute4_worst"
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
// [bench]
// bytes = "8*a*b*c*d"
// flops = "0"
// ```
__global__ void permute4_worst(const float *in, float *out, int a, int b, int c, int d)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= a * b * c * d)
        return;
    int j = t % b;
    int i = t / b % a;
    int l = t / (b * a) % d;
    int k = t / (b * a * d);
    out[((l * c + k) * b + j) * a + i] = in[((i * b + j) * c + k) * d + l];
}
