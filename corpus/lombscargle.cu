// A periodogram: threads stride over the frequencies, every one walks all samples. The outer loop
// diverges, the inner one does not.
// ```toml
// kernel = "lombscargle"
// arg = [
//   { name = "t", type = "f32", count = "s", fill = "uniform(-1,1)" },
//   { name = "v", type = "f32", count = "s", fill = "uniform(-1,1)" },
//   { name = "freq", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "power", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "samples", type = "i32", value = "s" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [700, 65, 1, 0], large = 1048576 }
// s = { small = [37, 64, 3, 1], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + 2*bx - 1) / (2*bx)", "1", "1"]
// [expect]
// power = "OnlyStored"
// t = "staged"
// v = "staged"
// [bench]
// bytes = "8*n"
// flops = "8*n*s"
// ```
__global__ void lombscargle(const float *__restrict__ t, const float *__restrict__ v,
                            const float *__restrict__ freq, float *__restrict__ power, int samples,
                            int n)
{
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        float w = freq[i], re = 0.0f, im = 0.0f;
        for (int j = 0; j < samples; j++) {
            float phase = w * t[j];
            re += v[j] * (1.0f - 0.5f * phase * phase);
            im += v[j] * phase;
        }
        power[i] = re * re + im * im;
    }
}
