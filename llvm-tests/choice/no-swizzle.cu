// Words of shared arrays stay where they are where not all that touches them is known, where accesses are of several sizes, or no threads meet.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK-NOT: swizzled
// CHECK: plan of last

// Rows of 33 words: they are padded.
extern "C" __global__ void padded(const float *in, float *out)
{
    __shared__ float tile[32][33];
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[threadIdx.x][threadIdx.y];
}

// Two words that lie side by side in the array are loaded at once.
extern "C" __global__ void two_sizes(const float *in, float2 *out)
{
    __shared__ __align__(8) float tile[32][32];
    int i = blockIdx.x * 512 + threadIdx.y * 32 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = in[2 * i];
    tile[threadIdx.y + 16][threadIdx.x] = in[2 * i + 1];
    __syncthreads();
    out[i] = *(float2 *)&tile[threadIdx.x][2 * threadIdx.y];
}

// Somebody else may look at a volatile array meanwhile.
extern "C" __global__ void looked_at(const float *in, float *out)
{
    __shared__ volatile float tile[32][32];
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[threadIdx.x][threadIdx.y];
}

// The array's address is a number that is stored.
extern "C" __global__ void known(const float *in, float *out, size_t *where)
{
    __shared__ float tile[32][32];
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[threadIdx.x][threadIdx.y];
    where[i] = (size_t)&tile[threadIdx.x][0];
}

// Which of two arrays it is, is chosen.
extern "C" __global__ void chosen(const float *in, float *out, int second)
{
    __shared__ float a[32][32];
    __shared__ float b[32][32];
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    a[threadIdx.y][threadIdx.x] = in[i];
    b[threadIdx.y][threadIdx.x] = -in[i];
    __syncthreads();
    float(*p)[32] = second ? a : b;
    out[i] = p[threadIdx.x][threadIdx.y] + p[threadIdx.y][threadIdx.x];
}

// What a thread stores it may load again: were the load replaced in one of kernel and copy alone, a product would be fused there.
extern "C" __global__ void product(const float *in, float *out)
{
    __shared__ float tile[32][32];
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = in[i] * 3.f;
    __syncthreads();
    out[i] = tile[threadIdx.x][threadIdx.y] + 1.f;
}

// An array that is no multiple of 32 words long.
extern "C" __global__ void odd(const float *in, float *out)
{
    __shared__ float tile[12][20];
    int i = blockIdx.x * 240 + threadIdx.y * 20 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[threadIdx.x % 12][threadIdx.y];
}

// Two threads meet, which costs as much as the permutation.
extern "C" __global__ void pairs(const float *in, float *out)
{
    __shared__ float tile[512];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    tile[t] = in[i];
    tile[t + 256] = -in[i];
    __syncthreads();
    out[i] = tile[2 * t];
}

// A function that is not inlined knows the array, too.
__shared__ float known_to_all[32][32];
__device__ __attribute__((noinline)) float element(int row, int column) { return known_to_all[row][column]; }
extern "C" __global__ void calls(const float *in, float *out)
{
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    known_to_all[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    out[i] = known_to_all[threadIdx.x][threadIdx.y] + element(threadIdx.y, threadIdx.x);
}

extern "C" __global__ void last(float *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
