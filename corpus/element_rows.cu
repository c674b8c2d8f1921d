// Eight weights of each element of a mesh, a row of numbers for each thread, as codes for finite elements write them.
// ```toml
// kernel = "element_rows"
// arg = [
//   { name = "w", type = "f64", count = "8*n", fill = "zero", output = true },
//   { name = "a", type = "f64", count = "n", fill = "uniform(-1,1)" },
//   { name = "b", type = "f64", count = "n", fill = "uniform(-1,1)" },
//   { name = "n", type = "u64", value = "n" },
// ]
// [sizes]
// n = { small = [300, 128, 1, 0, 77], large = 4194304 }
// [launch]
// blocks = [[128, 1, 1], [256, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "80*n"
// flops = "14*n"
// ```
__global__ void element_rows(double *w, const double *a, const double *b, unsigned long long n)
{
    unsigned long long e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < n) {
        double u = a[e], v = b[e];
#pragma unroll
        for (int k = 0; k < 8; k++)
            w[e * 8 + k] = (k & 1 ? u : 1 - u) * (k & 2 ? v : 1 - v) * (k & 4 ? u + v : u - v);
    }
}
