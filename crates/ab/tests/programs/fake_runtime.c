/* A CUDA runtime of a few lines, to test the launch timer without a GPU.
 *
 * Events count what was recorded before them: every launch takes as many milliseconds as its grid
 * is wide, on its own stream. It fails where told to, and complains of what the timer must not do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned x, y, z; } Dim;
struct event { float at; int recorded; };
enum { STREAMS = 8, CAPTURING = 7 };
static float now[STREAMS];
static int pending_error, live_events, device;
static long mode;

static size_t stream_of(void *stream)
{
    return (size_t)stream % STREAMS;
}
static int set(int error)
{
    if (error)
        pending_error = error;
    return error;
}
int cudaPeekAtLastError(void) { return pending_error; }
int cudaGetLastError(void)
{
    int e = pending_error;
    pending_error = 0;
    return e;
}
int cudaGetDevice(int *d) { *d = device; return 0; }
int cudaEventCreateWithFlags(struct event **e, unsigned flags)
{
    (void)flags;
    *e = calloc(1, sizeof **e);
    live_events++;
    return 0;
}
int cudaEventRecord(struct event *e, void *stream)
{
    if (stream_of(stream) == CAPTURING) {
        puts("timer: recorded into a stream under capture");
        exit(9);
    }
    e->at = now[stream_of(stream)];
    e->recorded = 1;
    return 0;
}
int cudaEventQuery(struct event *e) { (void)e; return set(600); }
int cudaEventSynchronize(struct event *e) { (void)e; return 0; }
int cudaEventElapsedTime(float *ms, struct event *a, struct event *b)
{
    if (!a->recorded || !b->recorded)
        return set(400);
    *ms = b->at - a->at;
    return 0;
}
int cudaFuncGetAttributes(void *attributes, const void *f) { (void)attributes; (void)f; return 0; }
int cudaStreamIsCapturing(void *stream, int *status)
{
    *status = stream_of(stream) == CAPTURING;
    return 0;
}
int cudaThreadExchangeStreamCaptureMode(int *m)
{
    int old = mode;
    mode = *m;
    *m = old;
    return 0;
}
int cudaDeviceReset(void) { return 0; }
static int launch(const void *f, Dim grid, void *stream)
{
    (void)f;
    if (mode) {
        puts("timer: left the capture mode changed");
        exit(9);
    }
    if (grid.x == 0)
        return set(9);
    now[stream_of(stream)] += grid.x;
    return 0;
}
int cudaLaunchKernel(const void *f, Dim g, Dim b, void **a, size_t s, void *stream)
{
    (void)b; (void)a; (void)s;
    return launch(f, g, stream);
}
/* The default stream of a thread is stream 2, as its handle says. */
int cudaLaunchKernel_ptsz(const void *f, Dim g, Dim b, void **a, size_t s, void *stream)
{
    (void)b; (void)a; (void)s;
    return launch(f, g, stream ? stream : (void *)2);
}
int cudaLaunchCooperativeKernel(const void *f, Dim g, Dim b, void **a, size_t s, void *stream)
{
    return cudaLaunchKernel(f, g, b, a, s, stream);
}
int cudaLaunchCooperativeKernel_ptsz(const void *f, Dim g, Dim b, void **a, size_t s, void *stream)
{
    return cudaLaunchKernel_ptsz(f, g, b, a, s, stream);
}
int __cudaLaunchKernel(void *f, Dim g, Dim b, void **a, size_t s, void *stream)
{
    return cudaLaunchKernel(f, g, b, a, s, stream);
}
int __cudaGetKernel(void **kernel, const void *host)
{
    *kernel = (char *)host + 4096;
    return 0;
}
void __cudaRegisterFunction(void **m, const char *h, char *d, const char *n, int l, void *t, void *i, void *b,
                            void *g, int *w)
{
    (void)m; (void)h; (void)d; (void)n; (void)l; (void)t; (void)i; (void)b; (void)g; (void)w;
}
int fake_live_events(void) { return live_events; }
