// C = A B for any block shape up to CX x CY: R x R neighbouring blocks are done by one, their
// leader, with strips of K copied ahead into STAGES tiles. Each element sums in the original's order.
//
// BT: B lies transposed, n x k. `init(row, col)` gives the first sum, `step` adds one product, `store`
// keeps the result. The answer is false where this kernel should do it plainly: all blocks decide
// alike, from launch and arguments.
#pragma once
#include "async.cuh"

template <class T, int R, int K, int STAGES, int CX, int CY, bool BT, class Init, class Step, class Store>
__device__ __forceinline__ bool product(const T *__restrict__ a, const T *__restrict__ b, int m, int n, int k,
                                        Init init, Step step, Store store)
{
    constexpr int V = 16 / sizeof(T), P = K + V, TR = CY * R, TC = CX * R;
    constexpr int SA = TR * P, SB = BT ? TC * P : K * TC;
    int nx = blockDim.x, ny = blockDim.y, tx = threadIdx.x, ty = threadIdx.y;
    // A grid that does not fill the chip after merging is better off with all its blocks.
    bool fills = (long long)gridDim.x * gridDim.y >= FILL * R * R;
    if (nx > CX || ny > CY || blockDim.z > 1 || !fills)
        return false;
    if (blockIdx.x % R || blockIdx.y % R)
        return true;
    __shared__ __align__(16) T as[STAGES * SA];
    __shared__ __align__(16) T bs[STAGES * SB];
    int row0 = blockIdx.y * ny, col0 = blockIdx.x * nx, rows = ny * R, cols = nx * R;
    bool wide = k % V == 0 && (BT || (n % V == 0 && col0 % V == 0 && cols % V == 0)) && aligned16(a) && aligned16(b);

    // A tile of rows of A, or of a transposed B: `count` rows from `first`, strip at column `e0`.
    auto rows_of = [&](T *tile, const T *from, int first, int count, int limit, int e0) INLINE {
        if (wide)
            for (int q = linear(); q < count * (K / V); q += nx * ny) {
                int r = q / (K / V), e = q % (K / V) * V;
                bool in = first + r < limit && e0 + e < k;
                copy_async<16>(&tile[r * P + e], in ? &from[(first + r) * k + e0 + e] : from, in);
            }
        else
            for (int q = linear(); q < count * K; q += nx * ny) {
                int r = q / K, e = q % K;
                bool in = first + r < limit && e0 + e < k;
                copy_async<sizeof(T)>(&tile[r * P + e], in ? &from[(first + r) * k + e0 + e] : from, in);
            }
    };
    auto load = [&](int stage, int strip) INLINE {
        int e0 = strip * K;
        rows_of(&as[stage * SA], a, row0, rows, m, e0);
        if constexpr (BT) {
            rows_of(&bs[stage * SB], b, col0, cols, n, e0);
            return;
        }
        for (int e = ty; e < K; e += ny)
            if (wide)
                for (int c = tx * V; c < cols; c += nx * V) {
                    bool in = e0 + e < k && col0 + c < n;
                    copy_async<16>(&bs[stage * SB + e * TC + c], in ? &b[(e0 + e) * n + col0 + c] : b, in);
                }
            else
                for (int c = tx; c < cols; c += nx) {
                    bool in = e0 + e < k && col0 + c < n;
                    copy_async<sizeof(T)>(&bs[stage * SB + e * TC + c], in ? &b[(e0 + e) * n + col0 + c] : b, in);
                }
    };
    // Rows ny apart, so that a warp reads few of them; columns side by side, so that they are one read.
    auto row = [&](int i) INLINE { return i * ny + ty; };
    auto col = [&](int j) INLINE { return BT ? j * nx + tx : tx * R + j; };
    T acc[R][R];
#pragma unroll
    for (int i = 0; i < R; i++)
#pragma unroll
        for (int j = 0; j < R; j++)
            acc[i][j] = row0 + row(i) < m && col0 + col(j) < n ? init(row0 + row(i), col0 + col(j)) : T(0);
    auto one = [&](const T *at, const T *bt, int e) INLINE {
#pragma unroll
        for (int i = 0; i < R; i++)
#pragma unroll
            for (int j = 0; j < R; j++)
                acc[i][j] = step(acc[i][j], at[row(i) * P + e], BT ? bt[col(j) * P + e] : bt[e * TC + col(j)]);
    };
    stream<STAGES>((k + K - 1) / K, load, [&](int stage, int strip) INLINE {
        const T *at = &as[stage * SA], *bt = &bs[stage * SB];
        if (strip * K + K <= k) {
#pragma unroll
            for (int e = 0; e < K; e++)
                one(at, bt, e);
        } else {
            for (int e = 0; e < k - strip * K; e++)
                one(at, bt, e);
        }
    });
#pragma unroll
    for (int i = 0; i < R; i++)
#pragma unroll
        for (int j = 0; j < R; j++)
            if (row0 + row(i) < m && col0 + col(j) < n)
                store(row0 + row(i), col0 + col(j), acc[i][j]);
    return true;
}

// The same for the plain `sum += A * B; C = sum`, with the original where `product` declines.
template <class T, int R, int K, int STAGES, int CX, int CY, bool BT>
__device__ __forceinline__ void plain_product(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c,
                                              int m, int n, int k)
{
    auto zero = [](int, int) INLINE { return T(0); };
    auto step = [](T sum, T x, T y) INLINE { return sum + x * y; };
    auto store = [=](int row, int col, T sum) INLINE { c[row * n + col] = sum; };
    if (product<T, R, K, STAGES, CX, CY, BT>(a, b, m, n, k, zero, step, store))
        return;
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    T sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * (BT ? b[col * k + i] : b[i * n + col]);
    c[row * n + col] = sum;
}
