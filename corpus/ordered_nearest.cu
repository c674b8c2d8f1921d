// Which of all points is nearest to each of a few: the first of those that are, as the loop is in order.
// ```toml
// kernel = "ordered_nearest"
// arg = [
//   { name = "p", type = "f64", count = "2*(m + n)", fill = "uniform(-1,1)" },
//   { name = "at", type = "i32", count = "m", fill = "zero", output = true },
//   { name = "best", type = "f64", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "u32", value = "n" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 40, 5], large = 2048 }
// n = { small = [70, 64, 1, 100, 41], large = 8192 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// at = "OnlyStored"
// best = "OnlyStored"
// [bench]
// bytes = "16*n"
// flops = "6*m*n"
// rows = [
//   { class = "large", at = { m = 2048, n = 8192 }, blocks = [[256, 1, 1], [64, 1, 1]] },
//   { class = "odd", at = { m = 30001, n = 30011 }, blocks = [[256, 1, 1]] },
// ]
// ```
__global__ void ordered_nearest(const double *p, int *at, double *best, int m, unsigned n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    double least = 1e30, x = p[2 * i], y = p[2 * i + 1];
    int first = -1;
    for (unsigned j = 0; j < n; j++) {
        double dx = p[2 * j] - x, dy = p[2 * j + 1] - y, d = dx * dx + dy * dy;
        if (j != i && d < least) {
            least = d;
            first = j;
        }
    }
    at[i] = first;
    best[i] = least;
}
