// Product with a transposed right operand: 4 x 4 blocks merged, both operands walked by rows.
#include "product.cuh"

__global__ void __launch_bounds__(256)
    mm_nt(const float *A, const float *B, float *C, int m, int n, int k)
{
    plain_product<float, 4, 16, 2, 32, 16, true>(A, B, C, m, n, k);
}
