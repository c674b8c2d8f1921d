// Pair forces over an array of structs of mixed types; only some fields are read.
// ```toml
// kernel = "aos_forces"
// arg = [
//   { name = "atoms", type = "f32", count = "8*n", fill = "uniform(1,2)" },
//   { name = "energy", type = "f64", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [200, 65, 1, 0], large = 32768 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// atoms = "staged"
// energy = "OnlyStored"
// [bench]
// bytes = "40*n"
// flops = "8*n*n"
// ```
struct Atom {
    double x, y, z;
    int kind;
    float charge;
};

__global__ void aos_forces(const Atom *__restrict__ atoms, double *__restrict__ energy, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
        double dx = atoms[j].x - atoms[i].x;
        double dy = atoms[j].y - atoms[i].y;
        sum += atoms[j].charge / (dx * dx + dy * dy + 1.0);
    }
    energy[i] = sum;
}
