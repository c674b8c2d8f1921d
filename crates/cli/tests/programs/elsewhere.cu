// The other half.
__global__ void elsewhere(int *a) { a[threadIdx.x] = 1; }
