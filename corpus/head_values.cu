// Values of attention, weighted, a batch and a head by blockIdx.z, through size_t.
// ```toml
// kernel = "head_values"
// arg = [
//   { name = "out", type = "f32", count = "b*t*h*s", fill = "zero", output = true },
//   { name = "weights", type = "f32", count = "b*h*t*t", fill = "uniform(0,1)" },
//   { name = "values", type = "f32", count = "b*t*h*s", fill = "uniform(-1,1)" },
//   { name = "times", type = "i32", value = "t" },
//   { name = "heads", type = "i32", value = "h" },
//   { name = "size", type = "i32", value = "s" },
// ]
// [sizes]
// b = { small = [2, 1, 3, 1], large = 4 }
// t = { small = [20, 33, 8, 70], large = 1024 }
// h = { small = [3, 1, 2, 1], large = 12 }
// s = { small = [8, 17, 1, 40], large = 64 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(s + bx - 1) / bx", "(t + by - 1) / by", "b*h"]
// [expect]
// weights = "staged"
// values = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "4*b*h*t*t + 8*b*t*h*s"
// flops = "2*b*h*t*t*s"
// ```
__global__ void head_values(float *out, const float *weights, const float *values, int times, int heads, int size)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    size_t batch = blockIdx.z / heads, head = blockIdx.z % heads;
    if (row < times && column < size) {
        const float *w = weights + (size_t)blockIdx.z * times * times;
        const float *v = values + (batch * times * heads + head) * size;
        float sum = 0.0f;
        for (int i = 0; i < times; i++)
            sum += w[row * times + i] * v[i * heads * size + column];
        out[((batch * times + row) * heads + head) * size + column] = sum;
    }
}
