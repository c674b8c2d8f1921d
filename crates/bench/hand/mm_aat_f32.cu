// A A' in float: 4 x 4 blocks merged, both operands walked by rows.
#include "product.cuh"

__global__ void __launch_bounds__(256) mm_aat_f32(const float *a, float *c, int n, int k)
{
    plain_product<float, 4, 16, 2, 32, 16, true>(a, a, c, n, n, k);
}
