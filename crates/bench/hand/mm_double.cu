// Product in double: 4 x 4 blocks merged, 3 tiles.
#include "product.cuh"

__global__ void __launch_bounds__(256)
    mm_double(const double *A, const double *B, double *C, int m, int n, int k)
{
    plain_product<double, 4, 8, 3, 32, 16, false>(A, B, C, m, n, k);
}
