// Product in float, any block shape: 4 x 4 blocks merged, 2 tiles.
#include "product.cuh"

__global__ void __launch_bounds__(1024)
    mm_early(const float *A, const float *B, float *C, int m, int n, int k)
{
    plain_product<float, 4, 16, 2, 32, 32, false>(A, B, C, m, n, k);
}
