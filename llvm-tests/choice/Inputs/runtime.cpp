// A CUDA runtime without a GPU: a launch says which of the registered kernels would run.
#include <cstddef>
#include <cstdio>
#include <map>

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
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  pushed = {grid, block, shared, stream};
  return 0;
}
int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void **stream) {
  *grid = pushed.grid, *block = pushed.block, *shared = pushed.shared, *stream = pushed.stream;
  return 0;
}
int cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **, size_t shared, void *) {
  const char *name = kernels().count(function) ? kernels()[function] : "nothing known";
  printf("grid %u %u %u block %u %u %u shared %zu: %s\n", grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, name);
  fflush(stdout);
  return 0;
}
}
