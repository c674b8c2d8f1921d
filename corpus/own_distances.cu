// Squared distances between all points of two sets, in tiles of its own; who has no pair to work on waits at the barriers.
// ```toml
// kernel = "own_distances"
// arg = [
//   { name = "p", type = "f32", count = "dims*m", fill = "uniform(-1,1)" },
//   { name = "q", type = "f32", count = "dims*n", fill = "uniform(-1,1)" },
//   { name = "d", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "dims", type = "i32", value = "dims" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [64, 17, 40, 1], large = 4096 }
// n = { small = [32, 70, 33, 1], large = 4096 }
// dims = { small = [32, 20, 1, 0], large = 128 }
// [launch]
// blocks = [[16, 16, 1]]
// grid = ["(n + 15) / 16", "(m + 15) / 16", "1"]
// [expect]
// d = "OnlyStored"
// p = "OwnBarrier"
// q = "OwnBarrier"
// [bench]
// bytes = "4*(dims*(m + n) + m*n)"
// flops = "3*m*n*dims"
// ```
#define T 16

__global__ void own_distances(const float *p, const float *q, float *d, int dims, int m, int n)
{
    __shared__ float ps[T][T], qs[T][T];
    int x = threadIdx.x, y = threadIdx.y;
    int first = T * blockIdx.y, row = first + y, col = blockIdx.x * T + x;
    bool has_pair = row < m && col < n;
    float sum = 0;
    for (int at = first, k0 = 0; at < first + dims * m; at += T * m, k0 += T) {
        ps[y][x] = k0 + y < dims && first + x < m ? p[at + y * m + x] : 0;
        qs[y][x] = k0 + y < dims && col < n ? q[(k0 + y) * n + col] : 0;
        __syncthreads();
        if (has_pair) {
            for (int k = 0; k < T; k++) {
                float difference = ps[k][y] - qs[k][x];
                sum += difference * difference;
            }
        }
        __syncthreads();
    }
    if (has_pair)
        d[row * n + col] = sum;
}
