// How often pairs of classes meet along two rows, weighted: a table of two dimensions of each thread's own.
// ```toml
// kernel = "local_joint"
// arg = [
//   { name = "a", type = "u8", count = "n*m", fill = "index(256)" },
//   { name = "b", type = "u8", count = "n*m", fill = "index(256)" },
//   { name = "f", type = "f32", count = "n*m", fill = "uniform(0,1)" },
//   { name = "o", type = "f32", count = "n", fill = "zero", output = true },
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
// bytes = "6*n*m + 4*n"
// ```
__global__ void local_joint(const unsigned char *a, const unsigned char *b, const float *f, float *o, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float table[4][8];
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 8; c++)
            table[r][c] = 0.0f;
    for (int k = 0; k < m; k++)
        table[a[k * n + i] & 3][b[k * n + i] & 7] += f[k * n + i];
    float most = 0.0f;
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 8; c++)
            most = fmaxf(most, table[r][c]);
    o[i] = most;
}
