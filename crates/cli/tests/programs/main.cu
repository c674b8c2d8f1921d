// One half of a program whose device code is linked.
extern __device__ int twice(int);
extern __device__ int offset;

__global__ void kernel(int *a) { a[threadIdx.x] = twice(threadIdx.x) + offset; }

int main() { kernel<<<1, 32>>>(nullptr); }
