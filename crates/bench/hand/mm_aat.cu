// A A' in double: 4 x 4 blocks merged, both operands walked by rows.
#include "product.cuh"

__global__ void __launch_bounds__(256) mm_aat(const double *a, double *c, int n, int k)
{
    plain_product<double, 4, 8, 2, 32, 16, true>(a, a, c, n, n, k);
}
