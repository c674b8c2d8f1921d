// A block of six threads for each cell of a map, which picks the best of what they find.
// ```toml
// kernel = "small_groups"
// arg = [
//   { name = "score", type = "f32", count = "n*6", fill = "uniform(0,1)" },
//   { name = "box", type = "f32", count = "n*42", fill = "uniform(-1,1)" },
//   { name = "size", type = "f32", count = "6", fill = "uniform(1,2)" },
//   { name = "o", type = "f32", count = "n*42", fill = "uniform(-1,1)", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "least", type = "f32", value = 0.4 },
// ]
// [sizes]
// n = { small = [77, 40, 1], large = 53568 }
// w = { small = [11, 3, 1], large = 216 }
// [launch]
// blocks = [[6, 1, 1], [3, 2, 1]]
// grid = ["n", "1", "1"]
// [bench]
// bytes = "n*6*60"
// flops = "n*6*20"
// ```
__global__ void small_groups(const float *score, const float *box, const float *size, float *o, int w, int n,
                             float least)
{
    int cell = blockIdx.x;
    int anchor = threadIdx.x + threadIdx.y * blockDim.x;
    if (cell >= gridDim.x || n == 0)
        return;
    int at = cell * 6 + anchor;
    float s = score[at] / (score[at] + 0.5f);
    if (s < least)
        return;
    int row = cell / w, col = cell % w;
    float d = size[anchor] * size[anchor] + 1;
    o[at * 7] = box[at * 7] * d + col;
    o[at * 7 + 1] = box[at * 7 + 1] * d + row;
    o[at * 7 + 2] = box[at * 7 + 2] * size[anchor];
    for (int k = 3; k < 6; k++)
        o[at * 7 + k] = size[anchor] / (box[at * 7 + k] + 2);
    o[at * 7 + 6] = s;
}
