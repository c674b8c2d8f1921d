// Behind the plug-in LLVM packs pairs of 16-bit numbers, and a product that is packed by itself is not fused with its sum. What it
// packs hangs on what is loaded side by side, so kernels that add up products of such numbers are left alone. Those
// that only convert them are staged, and so are sums without products.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o %t.ll -fpass-plugin=%mesi -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=IR --input-file=%t.ll
// CHECK-DAG: not staged: kernel fir: LLVM may pack pairs of its products, and what is packed is not fused with a sum, by which bits would differ (PackedMath)
// CHECK-DAG: not staged: kernel edges: {{.*}} (PackedMath)
// CHECK-DAG: staged '{{.*}}' in converted
// CHECK-DAG: staged '{{.*}}' in sums
// IR: define {{.*}} @_Z3fir
// IR-NOT: mesi.
// IR: define {{.*}} @_Z9converted
__global__ void fir(const _Float16 *__restrict__ x, const _Float16 *__restrict__ w, _Float16 *__restrict__ y, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  _Float16 sum = 0;
  for (int k = 0; k < taps; k++)
    sum += w[k] * x[i + k];
  y[i] = sum;
}
__global__ void edges(const _Float16 *__restrict__ x, const _Float16 *__restrict__ w, const _Float16 *__restrict__ v, _Float16 *__restrict__ y, int n, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    _Float16 s = 0, t = 0;
    for (int k = 0; k <= 2 * r; k++) {
      _Float16 p = w[k] * v[k];
      t = t + p;
      if (i + k - r >= 0 && i + k - r < n)
        s = s + (x[i + k - r] + p);
    }
    y[i] = s - t;
  }
}
__global__ void converted(const _Float16 *__restrict__ x, const _Float16 *__restrict__ w, float *__restrict__ y, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < taps; k++)
    sum += (float)w[k] * (float)x[i * taps + k];
  y[i] = sum;
}
__global__ void sums(const _Float16 *__restrict__ x, _Float16 *__restrict__ y, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  _Float16 sum = 0;
  for (int k = 0; k < taps; k++)
    sum += x[i * taps + k];
  y[i] = sum;
}
