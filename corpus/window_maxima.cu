// Maxima of windows of bytes, by two scans from a block's middle (van Herk, 1992): a block is a window of up to 32 bytes
// of a row or of a column, in dynamic shared memory.
// ```toml
// kernel = "window_maxima"
// arg = [
//   { name = "o", type = "u8", count = "w*h", fill = "zero", output = true },
//   { name = "a", type = "u8", count = "w*h", fill = "index(256)" },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
// ]
// [sizes]
// w = { small = [64, 97, 33, 1], large = 8192 }
// h = { small = [32, 70, 5, 64], large = 8192 }
// [launch]
// blocks = [[32, 1, 1], [16, 1, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// shared = "4*bx*by"
// [bench]
// bytes = "2*w*h"
// flops = "4*w*h"
// ```
__global__ void window_maxima(unsigned char *__restrict__ o, const unsigned char *__restrict__ a, int w, int h)
{
    extern __shared__ unsigned char memory[];
    const int n = blockDim.x, t = threadIdx.x;
    unsigned char *cells = memory, *best = memory + 2 * n;
    const int x = t + blockIdx.x * blockDim.x;
    const int y = threadIdx.y + blockIdx.y * blockDim.y;
    cells[t] = x < w ? a[y * w + x] : 0;
    cells[t + n] = x + n < w ? a[y * w + x + n] : 0;
    __syncthreads();
    if (t == 0) {
        best[n - 1] = cells[n - 1];
        best[n] = cells[n];
        for (int k = n - 2; k >= 0; k--)
            best[k] = cells[k] > best[k + 1] ? cells[k] : best[k + 1];
        for (int k = n + 1; k < 2 * n; k++)
            best[k] = cells[k] > best[k - 1] ? cells[k] : best[k - 1];
    }
    __syncthreads();
    if (x < w - n)
        o[y * w + x + n / 2] = best[t] > best[t + n - 1] ? best[t] : best[t + n - 1];
}
