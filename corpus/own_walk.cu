// A product in tiles of its own: a block's walk ends at a place that the block's number tells, as its beginning does.
// ```toml
// kernel = "own_walk"
// arg = [
//   { name = "out", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "left", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "right", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "inner", type = "i32", value = "k" },
//   { name = "columns", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [64, 16, 48, 32], large = 2048 }
// n = { small = [32, 64, 80, 16], large = 2048 }
// k = { small = [32, 16, 48, 0], large = 2048 }
// [launch]
// blocks = [[16, 16, 1]]
// grid = ["n / 16", "m / 16", "1"]
// [expect]
// out = "OnlyStored"
// left = "OwnBarrier"
// right = "OwnBarrier"
// [bench]
// bytes = "4*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// blas = { a = "left", b = "right", c = "out", m = "m", n = "n", k = "k" }
// ```
#define T 16

__global__ void own_walk(float *out, const float *left, const float *right, int inner, int columns)
{
    __shared__ float ls[T][T], rs[T][T];
    int x = threadIdx.x, y = threadIdx.y;
    int first = inner * T * blockIdx.y;
    int last = first + inner - 1;
    float sum = 0;
    for (int l = first, r = T * blockIdx.x; l <= last; l += T, r += T * columns) {
        ls[y][x] = left[l + inner * y + x];
        rs[y][x] = right[r + columns * y + x];
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += ls[y][k] * rs[k][x];
        __syncthreads();
    }
    out[columns * T * blockIdx.y + T * blockIdx.x + columns * y + x] = sum;
}
