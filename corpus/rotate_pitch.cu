// The same turn of a matrix whose rows lie further apart, with an early return, and from a layer's end to its begin.
// ```toml
// kernel = "rotate_pitch"
// arg = [
//   { name = "m", type = "f64", count = "n*p", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "p", type = "i32", value = "p" },
// ]
// [sizes]
// n = { small = [100, 65, 2, 1], large = 4096 }
// p = { small = [103, 65, 7, 1], large = 4112 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n / 2 + bx) / bx", "1", "1"]
// [expect]
// m = "WrittenInRegion"
// [bench]
// bytes = "16*n*n"
// flops = "0"
// ```
__global__ void rotate_pitch(double *m, int n, int p)
{
    int k = threadIdx.x + blockIdx.x * blockDim.x;
    if (k >= n / 2)
        return;
    int far = n - 1 - k;
    for (int j = far - 1; j >= k; j--) {
        int back = n - 1 - j;
        double *top = &m[k * p + j], *right = &m[j * p + far];
        double *bottom = &m[far * p + back], *left = &m[back * p + k];
        double kept = *top;
        *top = *left;
        *left = *bottom;
        *bottom = *right;
        *right = kept;
    }
}
