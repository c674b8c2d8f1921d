// The other half.
__device__ int offset = 3;
__device__ int twice(int a) { return 2 * a; }
