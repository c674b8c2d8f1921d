// A product in tiles of its own: a block's walk ends at a place that the block's number tells, as its beginning does.
// ```toml
// kernel = "own_walk"
// arg = [
//   { name = "out", type = "f32", count = "256*m*n", fill = "zero", output = true },
//   { name = "left", type = "f32", count = "256*m*k", fill = "uniform(-1,1)" },
//   { name = "right", type = "f32", count = "256*k*n", fill = "uniform(-1,1)" },
//   { name = "inner", type = "i32", value = "16*k" },
//   { name = "columns", type = "i32", value = "16*n" },
// ]
// [sizes]
// m = { small = [4, 1, 3, 2], large = 128 }
// n = { small = [2, 4, 5, 1], large = 128 }
// k = { small = [2, 1, 3, 0], large = 128 }
// [launch]
// blocks = [[16, 16, 1]]
// grid = ["n", "m", "1"]
// [expect]
// out = "OnlyStored"
// left = "OwnBarrier"
// right = "OwnBarrier"
// [bench]
// bytes = "1024*(m*k + k*n + m*n)"
// flops = "8192*m*n*k"
// blas = { a = "left", b = "right", c = "out", m = "16*m", n = "16*n", k = "16*k" }
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
