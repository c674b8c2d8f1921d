// Each row filled from its own number, and one of its elements read again: the stores are uncoalesced.
// ```toml
// kernel = "row_ramp"
// arg = [
//   { name = "out", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "mid", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [200, 65, 1, 0], large = 65536 }
// n = { small = [133, 64, 37, 1], large = 512 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// out = "staged"
// ```
__global__ void row_ramp(float *out, float *mid, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) {
        float v = i;
        for (int j = 0; j < n; j++) {
            v = 0.75f * v + 0.5f;
            out[i * n + j] = v;
        }
        mid[i] = out[i * n + (n - 1) / 2 * 2];
    }
}
