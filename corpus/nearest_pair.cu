// The nearest of many points in a plane to each point, by a distance that takes both by value.
// ```toml
// kernel = "nearest_pair"
// arg = [
//   { name = "queries", type = "f32", count = "2*n", fill = "uniform(-1,1)" },
//   { name = "points", type = "f32", count = "2*m", fill = "uniform(-1,1)" },
//   { name = "nearest", type = "i32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [200, 64, 1, 33], large = 1048576 }
// m = { small = [70, 32, 0, 5], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// queries = "staged"
// points = "staged"
// nearest = "OnlyStored"
// [bench]
// bytes = "12*n + 8*m"
// flops = "5*n*m"
// ```
__device__ __forceinline__ float apart(float2 a, float2 b)
{
    float x = a.x - b.x, y = a.y - b.y;
    return x * x + y * y;
}

__global__ void nearest_pair(const float2 *__restrict__ queries, const float2 *__restrict__ points,
                             int *__restrict__ nearest, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float least = 1e30f;
    int which = -1;
    for (int j = 0; j < m; j++) {
        float d = apart(queries[i], points[j]);
        if (d < least) {
            least = d;
            which = j;
        }
    }
    nearest[i] = which;
}
