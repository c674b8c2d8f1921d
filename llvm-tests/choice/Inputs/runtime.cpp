// A CUDA runtime without a GPU: a launch says which of the registered kernels would run. With PAIRS it takes grids and blocks
// as AArch64 passes them. With CHIP it has a driver that knows a device's compute capability, and nothing else. Streams from 16 on record for graphs, and so do threads' own; with NO_CAPTURE none can.
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>

struct dim3 { unsigned x, y, z; };
struct Configuration { dim3 grid, block; size_t shared; void *stream; };
static Configuration pushed;
static std::map<const void *, const char *> &kernels() { static std::map<const void *, const char *> all; return all; }

extern "C" {
void **__cudaRegisterFatBinary(void *) { static void *handle; return &handle; }
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
int __cudaRegisterFunction(void **, const void *function, char *, const char *name, int, void *, void *, void *, void *, int *) {
  kernels()[function] = name;
  return 0;
}
#ifndef NO_CAPTURE
int cudaStreamIsCapturing(void *stream, int *status) {
  *status = size_t(stream) >= 16;
  return size_t(stream) < 2 ? 906 : 0;
}
int cudaStreamIsCapturing_ptsz(void *stream, int *status) {
  *status = size_t(stream) == 0 || size_t(stream) >= 16;
  return size_t(stream) == 1 ? 906 : 0;
}
#endif
#ifdef CHIP
static int context(void **of) { return *of = &pushed, 0; }
static int device(int *of) { return *of = 0; }
static int attribute(int *value, int which, int) { return *value = which == 75 ? CHIP / 10 : which == 76 ? CHIP % 10 : 0, 0; }
int cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long, int *status) {
  static const std::map<std::string, void *> all = {
      {"cuCtxGetCurrent", (void *)context}, {"cuCtxGetDevice", (void *)device}, {"cuDeviceGetAttribute", (void *)attribute}};
  *function = all.count(name) ? all.at(name) : nullptr;
  return *status = *function == nullptr, 0;
}
#endif
// What the linker's wrapper mentions; nothing here has variables.
void __cudaRegisterVar() {}
void __cudaRegisterManagedVar() {}
#ifdef PAIRS
typedef unsigned long Half;
static dim3 whole(Half xy, Half z) { return {unsigned(xy), unsigned(xy >> 32), unsigned(z)}; }
unsigned __cudaPushCallConfiguration(Half grid, Half grid_z, Half block, Half block_z, size_t shared, void *stream) {
  pushed = {whole(grid, grid_z), whole(block, block_z), shared, stream};
  return 0;
}
#else
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  pushed = {grid, block, shared, stream};
  return 0;
}
#endif
int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void **stream) {
  *grid = pushed.grid, *block = pushed.block, *shared = pushed.shared, *stream = pushed.stream;
  return 0;
}
#ifdef PAIRS
int cudaLaunchKernel(const void *function, Half grid_xy, Half grid_z, Half block_xy, Half block_z, void **, size_t shared, void *) {
  const dim3 grid = whole(grid_xy, grid_z), block = whole(block_xy, block_z);
#else
int cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **, size_t shared, void *) {
#endif
  const char *name = kernels().count(function) ? kernels()[function] : "nothing known";
  printf("grid %u %u %u block %u %u %u shared %zu: %s\n", grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, name);
  fflush(stdout);
  return 0;
}
#ifndef PAIRS
int cudaLaunchKernel_ptsz(const void *function, dim3 grid, dim3 block, void **args, size_t shared, void *stream) {
  return cudaLaunchKernel(function, grid, block, args, shared, stream);
}
#endif
}
