// What a kernel shares with its module: static shared memory, functions that are not inlined, device variables,
// templates and launch bounds.
__device__ int calls;
__constant__ float weights[32];
static __device__ float table[64];

__noinline__ __device__ float apart(float x, int i)
{
  atomicAdd(&calls, 1);
  return x * weights[i & 31];
}

__global__ void static_shared(const float *a, const float *b, float *c, int n)
{
  __shared__ float corner[33];
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.y == 0)
    corner[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (row >= n || col >= n)
    return;
  float sum = corner[threadIdx.x];
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

__global__ void calls_apart(const float *a, float *out, int n)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k];
  out[row] = apart(sum, row);
}

__global__ void __launch_bounds__(256, 2) bounds(const float *a, const float *b, float *c, int n)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n)
    return;
  float sum = table[col & 63];
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

template <typename T, int STEP> __global__ void product(const T *a, const T *b, T *c, int n)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n)
    return;
  T sum = 0;
  for (int k = 0; k < n; k += STEP)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

template __global__ void product<float, 1>(const float *, const float *, float *, int);
template __global__ void product<double, 2>(const double *, const double *, double *, int);
