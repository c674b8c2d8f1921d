// Product in float, 256 threads at most: 8 x 8 blocks merged, 3 tiles.
#include "product.cuh"

__global__ void __launch_bounds__(256)
    mm_bounds(const float *A, const float *B, float *C, int m, int n, int k)
{
    plain_product<float, 8, 8, 3, 16, 16, false>(A, B, C, m, n, k);
}
