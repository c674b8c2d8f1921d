// Scores of groups of eight numbers, a block of eight threads for each: the first adds up what the others found.
// ```toml
// kernel = "group_scores"
// arg = [
//   { name = "o", type = "u64", count = "n", fill = "zero", output = true },
//   { name = "words", type = "u32", count = "8*n", fill = "index(4096)" },
//   { name = "weight", type = "u64", count = "4096", fill = "index(100000)" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [300, 37, 1], large = 1048576 }
// [launch]
// blocks = [[8, 1, 1]]
// grid = ["n", "1", "1"]
// [bench]
// bytes = "40*n"
// flops = "8*n"
// rows = [ { class = "odd", at = { n = 845601 } } ]
// ```
__global__ void group_scores(unsigned long long *__restrict__ o, const unsigned *__restrict__ words,
                             const unsigned long long *__restrict__ weight, int n)
{
    __shared__ unsigned long long partial[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned w = words[i];
    unsigned long long sum = 0;
    if (w & 1)
        sum = weight[w] * (w & 255);
    partial[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned long long all = 0;
        for (int k = 0; k < 8; k++)
            all += partial[k];
        o[blockIdx.x] = all;
    }
}
