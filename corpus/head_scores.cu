// Scores of attention, a batch and a head by blockIdx.z: which of each is a quotient and a remainder, the rows' length a quotient of arguments.
// ```toml
// kernel = "head_scores"
// arg = [
//   { name = "scores", type = "f32", count = "b*h*t*t", fill = "zero", output = true },
//   { name = "qkv", type = "f32", count = "b*t*3*h*s", fill = "uniform(-1,1)" },
//   { name = "times", type = "i32", value = "t" },
//   { name = "heads", type = "i32", value = "h" },
//   { name = "channels", type = "i32", value = "h*s" },
// ]
// [sizes]
// b = { small = [2, 1, 3, 1], large = 4 }
// t = { small = [20, 33, 8, 70], large = 1024 }
// h = { small = [3, 1, 2, 1], large = 12 }
// s = { small = [8, 17, 0, 40], large = 64 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(t + bx - 1) / bx", "(t + by - 1) / by", "b*h"]
// [expect]
// qkv = "staged"
// scores = "OnlyStored"
// [bench]
// bytes = "4*b*h*t*t + 8*b*t*h*s"
// flops = "2*b*h*t*t*s"
// ```
__global__ void head_scores(float *scores, const float *qkv, int times, int heads, int channels)
{
    int key = blockIdx.x * blockDim.x + threadIdx.x;
    int query = blockIdx.y * blockDim.y + threadIdx.y;
    int batch = blockIdx.z / heads, head = blockIdx.z % heads;
    int size = channels / heads;
    if (query >= times || key >= times)
        return;
    const float *q = qkv + batch * times * 3 * channels + head * size;
    const float *k = q + channels;
    float sum = 0.0f;
    for (int i = 0; i < size; i++)
        sum += q[query * 3 * channels + i] * k[key * 3 * channels + i];
    scores[((batch * heads + head) * times + query) * times + key] = 0.125f * sum;
}
