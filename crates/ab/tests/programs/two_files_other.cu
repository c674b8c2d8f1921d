// See two_files_main.cu.
__device__ float twice(float x)
{
    return 2 * x;
}
