// Softmax of the scores of attention, of each row what lies before its own time: a thread for each row.
// ```toml
// kernel = "causal_softmax"
// arg = [
//   { name = "weights", type = "f32", count = "b*heads*t*t", fill = "uniform(-1,1)", output = true },
//   { name = "scores", type = "f32", count = "b*heads*t*t", fill = "uniform(-1,1)" },
//   { name = "batch", type = "i32", value = "b" },
//   { name = "times", type = "i32", value = "t" },
//   { name = "heads", type = "i32", value = "heads" },
// ]
// alias = [
//   { arg = "weights", of = "scores", offset = "0" },
// ]
// [sizes]
// b = { small = [2, 1, 1, 1], large = 1 }
// t = { small = [5, 70, 1, 33], large = 1024 }
// heads = { small = [3, 1, 2, 1], large = 12 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(b*t*heads + bx - 1) / bx", "1", "1"]
// [expect]
// scores = "staged"
// weights = "staged"
// [bench]
// bytes = "8*b*heads*t*t"
// flops = "8*b*heads*t*t"
// rows = [
//   { class = "large", at = { b = 1 }, blocks = [[256, 1, 1], [64, 1, 1]] },
//   { class = "large", at = { b = 8 }, blocks = [[256, 1, 1]] },
// ]
// ```
__global__ void causal_softmax(float *weights, const float *scores, int batch, int times, int heads)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= batch * times * heads)
        return;
    int h = id % heads, t = id / heads % times, b = id / (heads * times);
    const float *score = scores + b * heads * times * times + h * times * times + t * times;
    float *weight = weights + b * heads * times * times + h * times * times + t * times;
    float most = -10000.0f;
    for (int k = 0; k <= t; k++)
        if (score[k] > most)
            most = score[k];
    float sum = 0.0f;
    for (int k = 0; k <= t; k++) {
        float power = expf(score[k] - most);
        sum += power;
        weight[k] = power;
    }
    float share = sum == 0.0f ? 0.0f : 1.0f / sum;
    for (int k = 0; k < times; k++)
        if (k <= t)
            weight[k] *= share;
        else
            weight[k] = 0.0f;
}
