// What nvcc and gcc warn of at most.
struct Twice
{
    template <class T> __host__ __device__ int of(T t) const { return 2 * (int)t; }
};

template <class U> __host__ __device__ int by(const U &u) { return u.template of(3); }

__global__ void kernel(int *p) { *p = by(Twice()); }

int main(int argc, char **)
{
    if (argc > 1)
        return;
    return by(Twice());
}
