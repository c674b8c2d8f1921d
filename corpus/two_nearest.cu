// The two nearest classes of each row, and how far each class is: the row is walked for every class, what is known so
// far is compared in branches, and each class's distance is stored.
// ```toml
// kernel = "two_nearest"
// arg = [
//   { name = "rows", type = "f32", count = "n*f", fill = "uniform(-1,1)" },
//   { name = "classes", type = "f32", count = "c*f", fill = "uniform(-1,1)" },
//   { name = "far", type = "f32", count = "n*c", fill = "zero", output = true },
//   { name = "nearest", type = "i32", count = "n", fill = "zero", output = true },
//   { name = "second", type = "i32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "class_count", type = "i32", value = "c" },
//   { name = "features", type = "i32", value = "f" },
// ]
// [sizes]
// n = { small = [300, 65, 1, 33], large = 1048576 }
// f = { small = [13, 8, 3, 20], large = 24 }
// c = { small = [5, 8, 1, 7], large = 10 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// rows = "staged"
// classes = "staged"
// far = "OnlyStored"
// nearest = "OnlyStored"
// second = "OnlyStored"
// [bench]
// bytes = "4*n*f + 4*n*c + 8*n"
// flops = "3*n*c*f"
// ```
__global__ void two_nearest(const float *__restrict__ rows, const float *__restrict__ classes,
                            float *__restrict__ far, int *__restrict__ nearest, int *__restrict__ second, int n,
                            int class_count, int features)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float least = 3.4e38f, next = 3.4e38f;
    int first_class = -1, second_class = -1;
    for (int c = 0; c < class_count; c++) {
        float sum = 0.0f;
        for (int f = 0; f < features; f++) {
            float d = rows[i * features + f] - classes[c * features + f];
            sum += d * d;
        }
        if (sum < least) {
            next = least;
            second_class = first_class;
            least = sum;
            first_class = c;
        } else if (sum < next) {
            next = sum;
            second_class = c;
        }
        far[c * n + i] = sum;
    }
    nearest[i] = first_class;
    second[i] = second_class;
}
