// Blocks of four threads along y, each of which places queens from the first three that its numbers say.
// ```toml
// kernel = "small_search"
// arg = [
//   { name = "found", type = "i32", count = "4*n*n*n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [6, 5, 4], large = 12 }
// [launch]
// blocks = [[4, 1, 1]]
// grid = ["n", "n*n", "1"]
// [bench]
// bytes = "16*n*n*n"
// flops = "0"
// ```
__global__ void small_search(int *found, int n)
{
    unsigned at[16], columns[16], left[16], right[16], full = (1u << n) - 1;
    int count = 0, depth = 3, turn = threadIdx.x;
    unsigned queens[3] = {blockIdx.x, blockIdx.y / n, blockIdx.y % n};
    columns[3] = left[3] = right[3] = 0;
    bool is_legal = true;
    for (int k = 0; k < 3; k++) {
        unsigned bit = 1u << queens[k];
        is_legal = is_legal && !(bit & (columns[3] | left[3] | right[3]));
        columns[3] |= bit;
        left[3] = (left[3] | bit) << 1;
        right[3] = (right[3] | bit) >> 1;
    }
    at[3] = is_legal ? full & ~(columns[3] | left[3] | right[3]) : 0;
    at[3] &= 0x11111111u << turn;
    while (depth >= 3) {
        if (depth == n) {
            count++;
            depth--;
        } else if (at[depth] == 0) {
            depth--;
        } else {
            unsigned bit = at[depth] & -at[depth];
            at[depth] ^= bit;
            unsigned c = columns[depth] | bit, l = (left[depth] | bit) << 1, r = (right[depth] | bit) >> 1;
            depth++;
            columns[depth] = c, left[depth] = l, right[depth] = r;
            at[depth] = depth < n ? full & ~(c | l | r) : 0;
        }
    }
    found[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + turn] = count;
}
