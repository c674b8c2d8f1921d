// libdevice in float and double, with its tables, local arrays and inline assembly.
extern "C" __global__ void math(const double *x, double *out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  float f = (float)v;
  double *o = out + i * 16;
  o[0] = exp(v); o[1] = log(v); o[2] = sin(v * 1e6); o[3] = pow(v, 1.7);
  o[4] = expf(f); o[5] = logf(f); o[6] = sinf(f * 1e6f); o[7] = powf(f, 1.7f);
  o[8] = tanhf(f); o[9] = rsqrtf(f); o[10] = erff(f); o[11] = cbrt(v);
  o[12] = fmin(v, 1.5); o[13] = fmaxf(f, 1.5f); o[14] = rint(v); o[15] = __double2int_rd(-v);
}
