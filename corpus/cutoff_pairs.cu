// Energies of charges: of each pair that is near enough, other than a charge with itself, the other's charge is read.
// ```toml
// kernel = "cutoff_pairs"
// arg = [
//   { name = "place", type = "f64", count = "n", fill = "uniform(-1,1)" },
//   { name = "charge", type = "f64", count = "n", fill = "uniform(-1,1)" },
//   { name = "energy", type = "f64", count = "n", fill = "zero", output = true },
//   { name = "cutoff", type = "f64", value = "1" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [300, 65, 1, 0, 64], large = 32768 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// place = "staged"
// charge = "staged"
// [bench]
// bytes = "24*n"
// flops = "4*n*n"
// ```
__global__ void cutoff_pairs(const double *place, const double *charge, double *energy, double cutoff, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double at = place[i], e = 0;
    for (int j = 0; j < n; j++) {
        double d = fabs(place[j] - at);
        if (j != i && d < cutoff && d > 0)
            e += charge[j] / d;
    }
    energy[i] = e;
}
