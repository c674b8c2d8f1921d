// Launches with gaps in their brackets, in every way that nvcc takes, and what looks like one and is none.
#include "launches.cuh"
#include <cstdio>
#include <cstring>
#include <iostream>

template <class T> struct Box { static constexpr int one = 1; };
template <class T> int size(int n) { return n; }
template <class T> struct Pair;
template <class T> std::ostream &operator<<(std::ostream &out, const Pair<T> &) { return out; }
template <class T> struct Pair {
    friend std::ostream &operator<< <>(std::ostream &out, const Pair<T> &);
};

__global__ void sgemm(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
template <class T> __global__ void made(T) {}

#define LAUNCH(kernel, x) kernel << \
    <1, 1>> \
    >(x)
#define BRACKETS(grid, block) << <grid, block>> >

int main(int count, char **)
{
    float *p = nullptr;
    sgemm << <dim3(4, 4), dim3(16, 16) >> > (p, p, p, 64);
    sgemm<< <1, 1>>>(p, p, p, 1), sgemm<<<1, 1>> >(p, p, p, 1);
    sgemm <</* < */<1, 1>>// >
        >(p, p, p, 1);
    made<Box<Box<int>>> << <count < 5 ? 1 : 2, count >> 1>> >(Box<Box<int>>());
    made << <size<Box<Box<int>> >(1), Box<int>::one >> > (1);
    LAUNCH(made, 'a');
    made BRACKETS(1, 1)(2);
    auto later = [=] { made << <1, 1>>
        > (count); };
    later();
    start();
    Pair<Box<Box<int>> > pair;
    std::cout << pair << R"(k << <1, 1>> >(x))" << " << <" << std::endl;
    printf("%d%s\n", __LINE__, strstr(__FILE__, "launches.cu"));
}
