// A loss over the frames of a batch, by one block: what a frame's class says is read if that is not to be ignored.
// ```toml
// kernel = "ahead_guarded"
// arg = [
//   { name = "o", type = "f32", count = "2", fill = "zero", output = true },
//   { name = "input", type = "f32", count = "n*k", fill = "uniform(-1,1)" },
//   { name = "target", type = "i32", count = "n", fill = "index(k)" },
//   { name = "weights", type = "f32", count = "k", fill = "uniform(0,1)" },
//   { name = "n", type = "i64", value = "n" },
//   { name = "k", type = "i64", value = "k" },
//   { name = "ignore", type = "i64", value = "1" },
// ]
// [sizes]
// n = { small = [1000, 77, 1], large = 16384 }
// k = { small = [4, 3, 2], large = 64 }
// [launch]
// blocks = [[64, 1, 1]]
// grid = ["1", "1", "1"]
// [bench]
// bytes = "8*n"
// flops = "3*n"
// ```
__global__ void ahead_guarded(float *__restrict__ o, const float *__restrict__ input, const int *__restrict__ target,
                              const float *__restrict__ weights, long n, long k, long ignore)
{
    __shared__ float sums[64], all[64];
    int thread = threadIdx.x;
    sums[thread] = all[thread] = 0;
    for (long i = thread; i < n; i += 64) {
        long t = target[i];
        if (t != ignore) {
            float w = weights ? weights[t] : 1;
            sums[thread] -= w * input[i * k + t];
            all[thread] += w;
        }
    }
    __syncthreads();
    if (thread == 0) {
        float sum = 0, weight = 0;
        for (int i = 0; i < 64; i++) {
            sum += sums[i];
            weight += all[i];
        }
        o[0] = sum;
        o[1] = weight;
    }
}
