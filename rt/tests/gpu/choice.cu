// The run-time part on a real runtime, by hand: K, a version half again slower and one 15 % faster. Built here; not yet run on a GPU.
//
//   clang -O2 -ffreestanding -fPIC -fno-stack-protector -c rt/mesi_rt.c -o rt.o
//   clang++ -x cuda --cuda-path=$CUDA_PATH --cuda-gpu-arch=sm_90 -O2 -c rt/tests/gpu/choice.cu -o choice.o
//   clang++ choice.o rt.o -L$CUDA_PATH/lib -lcudart_static -ldl -lrt -lpthread -o choice
//   MESI_REPORT=1 ./choice ITERATIONS LAUNCHES SYNC_EVERY [OWN_STREAM [ITERATIONS_OF_HOST_TIMING]]
//
// It prints the first launch's time, the host's time of a launch with and without the run-time part, and whether capture and a device's reset
// are borne.
#include <cstdio>
#include <cstring>
#include <chrono>
#include <cuda_runtime.h>
extern "C" {
#include "../../mesi_rt.h"
}
__global__ void K(float *p, int n) { float x = p[threadIdx.x]; for (int i = 0; i < n; i++) x = x * 1.0001f + 0.5f; p[blockIdx.x * blockDim.x + threadIdx.x] = x; }
__global__ void V0(float *p, int n) { float x = p[threadIdx.x]; n = n * 100 / 115; for (int i = 0; i < n; i++) x = x * 1.0001f + 0.5f; p[blockIdx.x * blockDim.x + threadIdx.x] = x; }
__global__ void V1(float *p, int n) { float x = p[threadIdx.x]; n = n * 3 / 2; for (int i = 0; i < n; i++) x = x * 1.0001f + 0.5f; p[blockIdx.x * blockDim.x + threadIdx.x] = x; }
static bool yes(void *const *, const uint32_t *) { return true; }
int main(int argc, char **argv) {
  static mesi_kernel k = {};
  k.abi = MESI_ABI; k.versions = 2; k.scalars = 1; k.hash = 77; k.stub = (const void *)K; k.name = "K"; k.threads = 1024; k.scalar[0] = {1, 0, 4};
  k.version[0] = {(const void *)V1, "V1", yes, nullptr, 0, 1024};
  k.version[1] = {(const void *)V0, "V0", yes, nullptr, 0, 1024};
  int n = argc > 1 ? atoi(argv[1]) : 20000, count = argc > 2 ? atoi(argv[2]) : 600, sync = argc > 3 ? atoi(argv[3]) : 1, own = argc > 4 ? atoi(argv[4]) : 0;
  float *p; cudaMalloc(&p, 132 * 4 * 256 * 4); cudaMemset(p, 0, 132 * 4 * 256 * 4);
  cudaStream_t s = 0; if (own) cudaStreamCreate(&s);
  cudaDeviceSynchronize();
  void *args[] = {&p, &n};
  mesi_dim3 g = {528, 1, 1}, b = {256, 1, 1};
  auto t0 = std::chrono::steady_clock::now();
  mesi_launch(&k, g, b, args, 0, s);
  auto t1 = std::chrono::steady_clock::now();
  for (int i = 1; i < count; i++) { int r = mesi_launch(&k, g, b, args, 0, s); if (r) { printf("error %d\n", r); return 1; } if (i % sync == 0) cudaDeviceSynchronize(); }
  cudaDeviceSynchronize();
  auto t2 = std::chrono::steady_clock::now();
  using us = std::chrono::duration<double, std::micro>;
  printf("first %.1f us, then %.2f us a launch, last error %d\n", us(t1 - t0).count(), us(t2 - t1).count() / (count - 1), cudaPeekAtLastError());
  // Host cost of a settled launch: empty grid work.
  double best[2] = {1e9, 1e9};
  int save = n;
  if (argc > 5) { n = atoi(argv[5]); for (int i = 0; i < 900; i++) { mesi_launch(&k, g, b, args, 0, s); if (i % 10 == 0) cudaDeviceSynchronize(); }
  for (int r = 0; r < 40; r++) {
    cudaDeviceSynchronize(); auto a = std::chrono::steady_clock::now();
    for (int i = 0; i < 200; i++) mesi_launch(&k, g, b, args, 0, s);
    auto c = std::chrono::steady_clock::now(); cudaDeviceSynchronize(); auto d = std::chrono::steady_clock::now();
    for (int i = 0; i < 200; i++) cudaLaunchKernel((const void *)K, dim3(528), dim3(256), args, 0, s);
    auto e = std::chrono::steady_clock::now();
    double x = us(c - a).count() / 200, y = us(e - d).count() / 200; if (x < best[0]) best[0] = x; if (y < best[1]) best[1] = y; }
  printf("host: mesi_launch %.1f ns, cudaLaunchKernel %.1f ns\n", best[0] * 1000, best[1] * 1000); }
  (void)save;
  // capture
  cudaStream_t c; cudaStreamCreate(&c); cudaGraph_t graph; n = 20000; size_t nodes = 0;
  cudaStreamBeginCapture(c, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < 5; i++) mesi_launch(&k, g, b, args, 0, c);
  int r = cudaStreamEndCapture(c, &graph); cudaGraphGetNodes(graph, nullptr, &nodes);
  printf("capture: %d, %zu nodes, last error %d\n", r, nodes, cudaPeekAtLastError());
  cudaDeviceReset(); cudaMalloc(&p, 132 * 4 * 256 * 4);
  for (int i = 0; i < 200; i++) { r = mesi_launch(&k, g, b, args, 0, 0); cudaDeviceSynchronize(); }
  printf("after reset: %d, last error %d\n", r, cudaPeekAtLastError());
}
