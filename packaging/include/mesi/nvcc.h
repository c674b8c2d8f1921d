// What nvcc accepts and clang 22 does not. `mesi nvcc` includes this file before every CUDA file.
#pragma once
