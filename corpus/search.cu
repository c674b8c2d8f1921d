// First entry of a sorted table that is not below a value: the loop ends by data.
// ```toml
// kernel = "search"
// arg = [
//   { name = "table", type = "f32", count = "s", fill = "iota" },
//   { name = "x", type = "f32", count = "n", fill = "uniform(-5,60)" },
//   { name = "where", type = "i32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "size", type = "i32", value = "s" },
// ]
// [sizes]
// n = { small = [500, 65, 1, 0], large = 4194304 }
// s = { small = [50, 64, 1, 0], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// table = "DataDependentExit"
// where = "OnlyStored"
// [bench]
// bytes = "8*n"
// ```
__global__ void search(const float *table, const float *x, int *where, int n, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = size;
    for (int k = 0; k < size; k++)
        if (table[k] >= x[i]) {
            at = k;
            break;
        }
    where[i] = at;
}
