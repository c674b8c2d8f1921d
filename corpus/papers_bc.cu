// The papers' first example: b is shared inside a block, c between blocks but walked by rows.
// ```toml
// kernel = "papers_bc"
// arg = [
//   { name = "a", type = "f32", count = "g*1024", fill = "zero", output = true },
//   { name = "b", type = "f32", count = "g+n", fill = "uniform(-1,1)" },
//   { name = "c", type = "f32", count = "n*1024", fill = "uniform(-1,1)" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// g = { small = [5, 2, 1], large = 512 }
// n = { small = [37, 16, 0], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// b = "staged"
// c = "staged"
// a = "OnlyStored"
// [bench]
// bytes = "4*(g*bx + bx*n)"
// flops = "2*g*bx*n"
// ```
__global__ void papers_bc(float *a, const float *b, const float *c, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i++)
        sum += b[blockIdx.x + i] * c[threadIdx.x * n + i];
    a[id] = sum;
}
