/* What host stubs do, against fake_runtime.c: see tests/timer.rs for what must come out. */
#include <stdio.h>
#include <stdlib.h>

typedef struct { unsigned x, y, z; } Dim;
int cudaLaunchKernel(const void *, Dim, Dim, void **, size_t, void *);
int cudaLaunchKernel_ptsz(const void *, Dim, Dim, void **, size_t, void *);
int __cudaLaunchKernel(void *, Dim, Dim, void **, size_t, void *);
int __cudaGetKernel(void **, const void *);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);
int cudaGetLastError(void);
int cudaPeekAtLastError(void);
int cudaDeviceReset(void);
int fake_live_events(void);

static char one, two, three;

static void launch(const void *f, unsigned width, size_t stream)
{
    Dim grid = {width, 1, 1}, block = {32, 1, 1};
    cudaLaunchKernel(f, grid, block, 0, 0, (void *)stream);
}

int main(int argc, char **argv)
{
    Dim grid = {5, 1, 1}, block = {32, 1, 1};
    __cudaRegisterFunction(0, &one, 0, "_Z3onev", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(0, &two, 0, "_Z3twov", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(0, &three, 0, "_Z5threev", -1, 0, 0, 0, 0, 0);
    /* More launches than the timer keeps pending, in two streams. */
    for (int i = 0; i < 10000; i++) {
        launch(&one, 1, 1);
        launch(&two, 2, 3);
    }
    /* nvcc's way, by handle, and a thread's default stream. */
    void *handle;
    __cudaGetKernel(&handle, &three);
    __cudaLaunchKernel(handle, grid, block, 0, 0, 0);
    cudaLaunchKernel_ptsz(&three, grid, block, 0, 0, 0);
    /* A stream under capture, and a kernel nobody registered. */
    launch(&one, 100, 7);
    launch(&handle, 3, 1);
    /* A failing launch leaves its error for the program, and the next one is not timed. */
    launch(&two, 0, 1);
    if (cudaPeekAtLastError() != 9)
        return 2;
    launch(&two, 50, 1);
    if (cudaGetLastError() != 9 || cudaGetLastError() != 0)
        return 3;
    if (argc > 1) {
        cudaDeviceReset();
        launch(&one, 7, 1);
    }
    printf("events %d\n", fake_live_events());
    (void)argv;
    return 0;
}
