#include "mesi_rt.h"
int cudaLaunchKernel(const void *, struct mesi_dim3, struct mesi_dim3, void **, size_t, void *);
int cudaLaunchKernelExC(const void *, const void *, void **);
int mesi_launch(struct mesi_kernel *kernel, struct mesi_dim3 grid, struct mesi_dim3 block, void **args, size_t shared,
                void *stream) {
    return cudaLaunchKernel(kernel->stub, grid, block, args, shared, stream);
}
int mesi_launch_ex(const void *config, struct mesi_kernel *kernel, void **args) {
    return cudaLaunchKernelExC(config, kernel->stub, args);
}
