// Points in cells of a block's own, added to by atomics, a row of doubles for each thread beside them: both are read by
// columns.
// ```toml
// kernel = "own_column_counts"
// arg = [
//   { name = "key", type = "u8", count = "32*n", fill = "index(32)" },
//   { name = "value", type = "f64", count = "32*n", fill = "uniform(-1,1)" },
//   { name = "count", type = "i32", count = "32*n", fill = "zero", output = true },
//   { name = "least", type = "f64", count = "32*n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [32, 64, 96, 160], large = 262144 }
// [launch]
// blocks = [[32, 32, 1]]
// grid = ["n / 32", "1", "1"]
// [expect]
// key = "OwnBarrier"
// value = "OwnBarrier"
// count = "OnlyStored"
// least = "OnlyStored"
// [bench]
// bytes = "32*n*21"
// ```
__global__ void own_column_counts(const unsigned char *key, const double *value, int *count, double *least, int n)
{
    __shared__ int cells[32][32];
    __shared__ double rows[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    size_t i = ((size_t)blockIdx.x * 32 + ty) * 32 + tx;
    cells[ty][tx] = 0;
    rows[ty][tx] = value[i];
    __syncthreads();
    atomicAdd(&cells[tx][key[i]], 1);
    double first = rows[tx][ty];
    double other = rows[tx][(ty + 1) % 32];
    __syncthreads();
    count[i] = cells[tx][ty];
    least[i] = first < other ? first : other;
}
