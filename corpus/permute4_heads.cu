// Heads of attention before times: (B, S, H, D) becomes (B, H, S, D), by a flat id. Both sides keep their rows.
// ```toml
// kernel = "permute4_heads"
// arg = [
//   { name = "in", type = "f32", count = "b*s*h*d", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "b*s*h*d", fill = "zero", output = true },
//   { name = "batch", type = "i32", value = "b" },
//   { name = "times", type = "i32", value = "s" },
//   { name = "heads", type = "i32", value = "h" },
//   { name = "size", type = "i32", value = "d" },
// ]
// [sizes]
// b = { small = [2, 1, 3, 1], large = 8 }
// s = { small = [5, 33, 1, 7], large = 2048 }
// h = { small = [3, 9, 12, 1], large = 16 }
// d = { small = [64, 8, 40, 3], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(b*s*h*d + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "8*b*s*h*d"
// flops = "0"
// ```
__global__ void permute4_heads(const float *in, float *out, int batch, int times, int heads, int size)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= batch * times * heads * size)
        return;
    int d = id % size;
    int h = id / size % heads;
    int s = id / (size * heads) % times;
    int b = id / (size * heads * times);
    out[((b * heads + h) * times + s) * size + d] = in[id];
}
