// One thread that counts twice, where what it reads next may be the table itself: a count in between changes it.
// ```toml
// kernel = "self_counts"
// arg = [
//   { name = "data", type = "i32", count = "n", fill = "index(256)" },
//   { name = "bins", type = "i32", count = "256", fill = "index(256)", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// alias = [
//   { arg = "bins", of = "data", offset = "0" },
// ]
// [sizes]
// n = { small = [512, 300], large = 1048576 }
// [launch]
// blocks = [[1, 1, 1]]
// grid = ["1", "1", "1"]
// [expect]
// bins = "staged"
// [bench]
// bytes = "4*n"
// ```
__global__ void self_counts(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i + 1 < n) {
        atomicAdd(&bins[((data[2 * i] >> 8) + 1) & 255], 3);
        atomicAdd(&bins[data[2 * i + 1] & 255], 1);
    }
}
