// Scores of attention, causal, by flattened ids of four dimensions: a product of rows for each head, below the diagonal.
// ```toml
// kernel = "attention_scores"
// arg = [
//   { name = "scores", type = "f32", count = "b*h*t*t", fill = "zero", output = true },
//   { name = "qkv", type = "f32", count = "b*t*3*h*s", fill = "uniform(-1,1)" },
//   { name = "batch", type = "i32", value = "b" },
//   { name = "times", type = "i32", value = "t" },
//   { name = "heads", type = "i32", value = "h" },
//   { name = "channels", type = "i32", value = "h*s" },
// ]
// [sizes]
// b = { small = [2, 1, 3, 1], large = 8 }
// t = { small = [20, 33, 8, 70], large = 1024 }
// h = { small = [3, 1, 2, 1], large = 12 }
// s = { small = [8, 17, 0, 40], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(b*h*t*t + bx - 1) / bx", "1", "1"]
// [expect]
// qkv = "staged"
// [bench]
// bytes = "4*b*h*t*t + 8*b*t*h*s"
// flops = "b*h*t*t*s"
// ```
__global__ void attention_scores(float *scores, const float *qkv, int batch, int times, int heads, int channels)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= batch * heads * times * times)
        return;
    int key = id % times;
    int query = id / times % times;
    int head = id / (times * times) % heads;
    int b = id / (heads * times * times);
    if (key > query) {
        scores[id] = -1e30f;
        return;
    }
    int size = channels / heads;
    const float *q = qkv + b * times * 3 * channels + query * 3 * channels + head * size;
    const float *k = qkv + b * times * 3 * channels + key * 3 * channels + head * size + channels;
    float sum = 0.0f;
    for (int i = 0; i < size; i++)
        sum += q[i] * k[i];
    scores[id] = 0.125f * sum;
}
