// One half of a program: host code reaches variables of the file behind a kernel that does, and launches a kernel of the other half.
static __constant__ int table[4];
namespace {
__device__ int size;
}
__global__ void elsewhere(int *a);

__global__ void kernel(int *a) { a[threadIdx.x] = table[threadIdx.x & 3] * size; }

int main()
{
    int numbers[4] = {1, 2, 3, 4};
    cudaMemcpyToSymbol(table, numbers, sizeof numbers);
    cudaMemcpyToSymbol(size, numbers, sizeof(int));
    kernel<<<1, 32>>>(nullptr);
    elsewhere<<<1, 32>>>(nullptr);
}
