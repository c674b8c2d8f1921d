// Depth-first walks over a tree of tests, one from each query: a small stack of nodes that are still to be looked at.
// ```toml
// kernel = "local_stack"
// arg = [
//   { name = "low", type = "f32", count = "127", fill = "uniform(-1,0)" },
//   { name = "high", type = "f32", count = "127", fill = "uniform(0,1)" },
//   { name = "query", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "found", type = "i32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [100, 1, 65, 33], large = 1048576 }
// [launch]
// blocks = [[128, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "8*n"
// ```
__global__ void local_stack(const float *low, const float *high, const float *query, int *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int stack[16], top = 0, hits = 0;
    float q = query[i];
    stack[top++] = 0;
    while (top > 0) {
        int node = stack[--top];
        if (q < low[node] || q > high[node])
            continue;
        if (node >= 63) {
            hits += node;
        } else {
            stack[top++] = 2 * node + 1;
            stack[top++] = 2 * node + 2;
        }
    }
    found[i] = hits;
}
