// A header's launch, seen by whoever includes it.
#pragma once
__global__ void by_header() {}
inline void start() { by_header <<<1, 1 >> > (); }
