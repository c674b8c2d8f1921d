// Device code that makes and deletes objects, one of which has pure virtual functions, and asks an array for what it may not have, beside a lambda of host code. N
// is given on the command line.
#include <array>

struct Shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Node : Shape {
    int value;
    __device__ Node(int v) : value(v) {}
    __device__ int area() const override { return N * value; }
};

template <typename F> __global__ void apply(int *a, F f) { a[threadIdx.x] = f(a[threadIdx.x]); }

__global__ void objects(int *a)
{
    Shape *n = new Node(*a);
    *a = n->area() + 1;
    delete n;
    std::array<int, 4> few = {1, 2, 3, 4};
    a[1] = few.at(a[2]);
    int *many = new int[4];
    delete[] many;
}

int main()
{
    int by = 3;
    apply<<<1, 32>>>((int *)nullptr, [=] __device__(int x) { return x * by; });
    objects<<<1, 1>>>(nullptr);
}
