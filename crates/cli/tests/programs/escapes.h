// A macro of a header, and a percent sign that is none of assembly.
#define LANE(into) asm("mov.u32 %0, %laneid;" : "=r"(into))
__device__ inline const char *text() { return "%clock"; }
