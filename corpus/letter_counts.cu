// How often groups of four letters occur in a text: a test says that a letter is one, and so between what its bin lies.
// ```toml
// kernel = "letter_counts"
// arg = [
//   { name = "text", type = "i8", count = "n", fill = "index(128)" },
//   { name = "counts", type = "u32", count = "7", fill = "zero", output = true },
//   { name = "n", type = "u32", value = "n" },
// ]
// [sizes]
// n = { small = [9000, 1000, 65, 0], large = 268435456 }
// g = { small = [3, 7, 1, 2], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// counts = "staged"
// [bench]
// bytes = "n"
// ```
__global__ void letter_counts(const char *text, unsigned *counts, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        int letter = text[i] - 'a';
        if (letter >= 0 && letter < 26)
            atomicAdd(&counts[letter / 4], 1);
    }
}
