// A variable in managed memory that kernels are only given the address of: clang makes a variable of the host's of it, and warns.
__device__ __managed__ int count = 0;

__global__ void counts(int *n)
{
    atomicAdd(n, 1);
}

int counted()
{
    counts<<<1, 32>>>(&count);
    cudaDeviceSynchronize();
    return count;
}
