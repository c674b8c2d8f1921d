// The axes of four dimensions in reverse, written where elements come from: a flat id of 64 bits is taken apart step by
// step.
// ```toml
// kernel = "permute4_gather"
// arg = [
//   { name = "out", type = "f32", count = "a*b*c*d", fill = "zero", output = true },
//   { name = "in", type = "f32", count = "a*b*c*d", fill = "uniform(-1,1)" },
//   { name = "a", type = "u64", value = "a" },
//   { name = "b", type = "u64", value = "b" },
//   { name = "c", type = "u64", value = "c" },
//   { name = "d", type = "u64", value = "d" },
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
__global__ void permute4_gather(float *__restrict__ out, const float *__restrict__ in, size_t a, size_t b, size_t c,
                                size_t d)
{
    size_t id = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (id >= a * b * c * d)
        return;
    size_t t = id;
    size_t i = t % a;
    t /= a;
    size_t j = t % b;
    t /= b;
    size_t k = t % c;
    size_t l = t / c;
    out[id] = in[((i * b + j) * c + k) * d + l];
}
