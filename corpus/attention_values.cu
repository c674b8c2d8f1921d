// Values of attention, weighted: a thread for each head of each time adds up rows in memory.
// ```toml
// kernel = "attention_values"
// arg = [
//   { name = "out", type = "f32", count = "b*t*heads*c", fill = "uniform(-1,1)", output = true },
//   { name = "weights", type = "f32", count = "b*heads*t*t", fill = "uniform(0,1)" },
//   { name = "in", type = "f32", count = "b*t*3*heads*c", fill = "uniform(-1,1)" },
//   { name = "batch", type = "i32", value = "b" },
//   { name = "times", type = "i32", value = "t" },
//   { name = "channels", type = "i32", value = "heads*c" },
//   { name = "heads", type = "i32", value = "heads" },
// ]
// [sizes]
// b = { small = [2, 1, 1, 1, 1, 2], large = 8 }
// t = { small = [5, 9, 1, 3, 2, 4], large = 1024 }
// heads = { small = [3, 1, 2, 2, 1, 3], large = 12 }
// c = { small = [40, 70, 33, 0, 1, 8], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(b*t*heads + bx - 1) / bx", "1", "1"]
// [expect]
// out = "staged"
// weights = "NotAffine"
// in = "staged"
// [bench]
// bytes = "4*b*heads*t*t"
// flops = "b*heads*t*t*c"
// ```
__global__ void attention_values(float *out, const float *weights, const float *in, int batch, int times, int channels,
                                 int heads)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= batch * times * heads)
        return;
    int h = id % heads, t = id / heads % times, b = id / (heads * times);
    int size = channels / heads;
    float *to = out + b * times * channels + t * channels + h * size;
    const float *weight = weights + b * heads * times * times + h * times * times + t * times;
    for (int k = 0; k < size; k++)
        to[k] = 0.0f;
    for (int u = 0; u <= t; u++) {
        const float *value = in + b * times * channels * 3 + u * channels * 3 + h * size + channels * 2;
        float w = weight[u];
        for (int k = 0; k < size; k++)
            to[k] += w * value[k];
    }
}
