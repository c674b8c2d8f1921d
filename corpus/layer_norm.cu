// Layer normalisation: a thread for each row, its mean, its deviation, then the row scaled.
// ```toml
// kernel = "layer_norm"
// arg = [
//   { name = "out", type = "f32", count = "b*t*c", fill = "zero", output = true },
//   { name = "mean", type = "f32", count = "b*t", fill = "zero", output = true },
//   { name = "inverse", type = "f32", count = "b*t", fill = "zero", output = true },
//   { name = "in", type = "f32", count = "b*t*c", fill = "uniform(-1,1)" },
//   { name = "gain", type = "f32", count = "c", fill = "uniform(-1,1)" },
//   { name = "shift", type = "f32", count = "c", fill = "uniform(-1,1)" },
//   { name = "batch", type = "i32", value = "b" },
//   { name = "times", type = "i32", value = "t" },
//   { name = "channels", type = "i32", value = "c" },
// ]
// alias = [
//   { arg = "out", of = "in", offset = "0" },
//   { arg = "shift", of = "gain", offset = "0" },
// ]
// [sizes]
// b = { small = [2, 1, 3, 1, 2], large = 8 }
// t = { small = [5, 1, 7, 3, 16], large = 1024 }
// c = { small = [70, 33, 1, 0, 20], large = 768 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(b*t + bx - 1) / bx", "1", "1"]
// [expect]
// in = "staged"
// gain = "staged"
// shift = "staged"
// out = "staged"
// mean = "OnlyStored"
// inverse = "OnlyStored"
// [bench]
// bytes = "8*b*t*c"
// flops = "8*b*t*c"
// ```
__global__ void layer_norm(float *out, float *mean, float *inverse, const float *in, const float *gain,
                           const float *shift, int batch, int times, int channels)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= batch * times)
        return;
    int b = id / times, t = id % times;
    const float *row = in + b * times * channels + t * channels;
    float sum = 0.0f;
    for (int k = 0; k < channels; k++)
        sum += row[k];
    float middle = sum / channels;
    float squares = 0.0f;
    for (int k = 0; k < channels; k++) {
        float away = row[k] - middle;
        squares += away * away;
    }
    float scale = 1.0f / sqrtf(squares / channels + 1e-5f);
    float *to = out + b * times * channels + t * channels;
    for (int k = 0; k < channels; k++)
        to[k] = scale * (row[k] - middle) * gain[k] + shift[k];
    mean[id] = middle;
    inverse[id] = scale;
}
