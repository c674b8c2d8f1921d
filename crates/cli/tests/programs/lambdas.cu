// Device code that makes and deletes objects, beside a lambda of host code.
struct Node {
    int value;
};

template <typename F> __global__ void apply(int *a, F f) { a[threadIdx.x] = f(a[threadIdx.x]); }

__global__ void objects(int *a)
{
    Node *n = new Node{*a};
    *a = n->value + 1;
    delete n;
    int *many = new int[4];
    delete[] many;
}

int main()
{
    int by = 3;
    apply<<<1, 32>>>((int *)nullptr, [=] __device__(int x) { return x * by; });
    objects<<<1, 1>>>(nullptr);
}
