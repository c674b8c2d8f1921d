// The histograms of an image's three channels, one after the other, by a grid of any size.
// ```toml
// kernel = "channel_counts"
// arg = [
//   { name = "image", type = "u8", count = "3*n", fill = "index(256)" },
//   { name = "counts", type = "u32", count = "768", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [3000, 1000, 65, 0], large = 33554432 }
// g = { small = [3, 7, 1, 2], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// counts = "staged"
// [bench]
// bytes = "3*n"
// ```
__global__ void channel_counts(const unsigned char *image, unsigned *counts, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        atomicAdd(&counts[image[3 * i]], 1);
        atomicAdd(&counts[256 + image[3 * i + 1]], 1);
        atomicAdd(&counts[512 + image[3 * i + 2]], 1);
    }
}
