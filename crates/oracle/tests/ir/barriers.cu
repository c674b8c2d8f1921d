// Reducing barriers, dynamic and static shared memory, __constant__, a struct by value, 3-D launch.
struct Shape { int w, h; float *data; double scale; };
__constant__ float weights[4] = {1, 2, 3, 4};
__device__ unsigned counter[2];
extern __shared__ int dynamic[];
extern "C" __global__ void barriers(Shape s, int *out) {
  __shared__ float tile[64];
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int n = blockDim.x * blockDim.y * blockDim.z;
  dynamic[t] = t * b;
  tile[t] = s.data[(b * n + t) % (s.w * s.h)] * weights[t & 3];
  int odd = __syncthreads_count(t & 1);
  int all = __syncthreads_and(t < n), any = __syncthreads_or(t == n);
  float v = tile[n - 1 - t] * (float)s.scale + dynamic[n - 1 - t];
  out[b * n + t] = (int)v * 1000 + odd * 10 + all * 2 + any;
  atomicAdd(&counter[0], 1u);
  atomicMax(&counter[1], (unsigned)(b * n + t));
}
