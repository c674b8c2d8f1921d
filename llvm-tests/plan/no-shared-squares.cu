// Windows of neighbouring threads overlap, so replicas have squares in common, and the back end fuses no product that five sums take: the
// last bit would be another one. Squares of differences that each thread makes itself are its own.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S %s -o %t.ptx -fpass-plugin=%mesi
// RUN: %not grep -q 'window.*mesi.0' %t.ptx && grep -q 'apart.*mesi.0' %t.ptx
__global__ void window(const float *in, float *out, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float s = 0;
  for (int dy = -r; dy <= r; dy++)
    for (int dx = -r; dx <= r; dx++) {
      int sx = x + dx, sy = y + dy;
      if (sx >= 0 && sx < w && sy >= 0 && sy < h) {
        float v = in[sy * w + sx];
        s += v * v;
      }
    }
  out[y * w + x] = s;
}
__global__ void apart(const float *a, const float *b, float *out, int m, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= m)
    return;
  float s = 0;
  for (int k = 0; k < n; k++) {
    float d = a[row * n + k] - b[col * n + k];
    s += d * d;
  }
  out[row * m + col] = s;
}
