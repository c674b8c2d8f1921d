// Nearest centre of each point: each thread walks its point's row for every centre, the centres are
// shared.
// ```toml
// kernel = "kmeans"
// arg = [
//   { name = "points", type = "f32", count = "n*f", fill = "uniform(-1,1)" },
//   { name = "centres", type = "f32", count = "c*f", fill = "uniform(-1,1)" },
//   { name = "nearest", type = "i32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "centre_count", type = "i32", value = "c" },
//   { name = "features", type = "i32", value = "f" },
// ]
// [sizes]
// n = { small = [300, 65, 1, 0], large = 1048576 }
// f = { small = [13, 8, 3, 1], large = 32 }
// c = { small = [5, 8, 1, 2], large = 16 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// points = "staged"
// centres = "staged"
// nearest = "OnlyStored"
// [bench]
// bytes = "4*n*f + 4*n"
// flops = "3*n*c*f"
// ```
__global__ void kmeans(const float *points, const float *centres, int *nearest, int n, int centre_count,
                       int features)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float best = 3.4e38f;
        int at = 0;
        for (int c = 0; c < centre_count; c++) {
            float d2 = 0.0f;
            for (int f = 0; f < features; f++) {
                float d = points[i * features + f] - centres[c * features + f];
                d2 += d * d;
            }
            if (d2 < best) {
                best = d2;
                at = c;
            }
        }
        nearest[i] = at;
    }
}
