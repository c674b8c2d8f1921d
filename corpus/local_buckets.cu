// Weights of a row's items by kind, in double, and how even they are: buckets of a thread's own.
// ```toml
// kernel = "local_buckets"
// arg = [
//   { name = "kind", type = "i32", count = "n*m", fill = "index(12)" },
//   { name = "weight", type = "f64", count = "n*m", fill = "uniform(0,1)" },
//   { name = "o", type = "f64", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [100, 1, 65, 33], large = 131072 }
// m = { small = [40, 1, 0, 9], large = 128 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "12*n*m + 8*n"
// ```
__global__ void local_buckets(const int *kind, const double *weight, double *o, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double bucket[12];
        for (int k = 0; k < 12; k++)
            bucket[k] = 0.5;
        for (int k = 0; k < m; k++)
            bucket[kind[k * n + i]] += weight[k * n + i];
        double least = bucket[0], most = bucket[0];
        for (int k = 1; k < 12; k++) {
            least = fmin(least, bucket[k]);
            most = fmax(most, bucket[k]);
        }
        o[i] = least / most;
    }
}
