// A stand-in for cuDNN: convolutions of images and their gradients by the definition, on the stand-in for the driver.
// It supports what is used here, and checks it: handles, that sizes and layouts are consistent, that an algorithm is
// used for what it was recommended for, that the workspace is as large as reported, and that everything is where it is
// said to be.

#include "driver.h"
#include "numbers.h"
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <vector>

namespace {
enum Status { SUCCESS = 0, BAD_PARAM = 3, EXECUTION_FAILED = 8, NOT_SUPPORTED = 9 };
enum Kind { FORWARD, DATA, FILTER };

struct Handle { void* stream; };
struct Tensor { int type, sizes[4], strides[4]; bool set; };
struct Filter { int type, format, sizes[4]; bool set; };
struct Convolution { int padding[2], strides[2], dilations[2], compute, groups, math; bool set; };
struct Advice { int algorithm, status; float time; size_t memory; int repeats, math, reserved[3]; };

std::mutex lock;
template <class T> std::set<T*>& all() {
    static auto* made = new std::set<T*>;
    return *made;
}

template <class T> T* get(void* handle) {
    std::lock_guard<std::mutex> held(lock);
    if (all<T>().count((T*)handle)) return (T*)handle;
    stand_in_violation("cuDNN: there is no %p", handle);
    return nullptr;
}

template <class T> int made(void** handle) {
    std::lock_guard<std::mutex> held(lock);
    T* one = new T();
    all<T>().insert(one);
    *handle = one;
    return SUCCESS;
}

template <class T> int gone(void* handle) {
    T* one = get<T>(handle);
    if (!one) return BAD_PARAM;
    std::lock_guard<std::mutex> held(lock);
    all<T>().erase(one);
    delete one;
    return SUCCESS;
}

bool element(int type, Element& e) {
    switch (type) {
    case 0: e = Element::F32; return true;
    case 2: e = Element::F16; return true;
    case 9: e = Element::BF16; return true;
    }
    return false;
}

// The parts of a problem, in the order in which they are checked.
struct Problem {
    Tensor x, y;
    Filter w;
    Convolution c;

    // Whether the images are contiguous with the channels first, or last.
    static int layout(const Tensor& t) {
        int c = t.sizes[1], h = t.sizes[2], w = t.sizes[3];
        auto is = [&](int n, int channel, int row, int column) {
            return t.strides[0] == n && t.strides[1] == channel && t.strides[2] == row && t.strides[3] == column;
        };
        return is(c * h * w, h * w, w, 1) ? 0 : is(c * h * w, 1, w * c, c) ? 1 : -1;
    }

    int check() const {
        if (!x.set || !y.set || !w.set || !c.set || x.type != y.type || x.type != w.type || c.compute != 0) return BAD_PARAM;
        if (c.groups < 1 || x.sizes[1] != w.sizes[1] * c.groups || w.sizes[0] % c.groups || y.sizes[1] != w.sizes[0]) return BAD_PARAM;
        if (x.sizes[0] != y.sizes[0]) return BAD_PARAM;
        for (int a = 0; a < 2; a++) {
            int span = (w.sizes[2 + a] - 1) * c.dilations[a] + 1, room = x.sizes[2 + a] + 2 * c.padding[a] - span;
            if (room < 0 || y.sizes[2 + a] != room / c.strides[a] + 1) return BAD_PARAM;
        }
        // Mixed layouts are not supported.
        if (layout(x) < 0 || layout(x) != layout(y)) {
            bool either = x.sizes[1] == 1 || y.sizes[1] == 1 || x.sizes[2] * x.sizes[3] == 1 || y.sizes[2] * y.sizes[3] == 1;
            if (!either) return NOT_SUPPORTED;
        }
        return SUCCESS;
    }

    // Small, and different for different problems.
    size_t workspace(Kind kind) const {
        return 256 + 64 * (kind + 1) + 16 * (x.sizes[2] % 7) + 4 * w.sizes[0] % 64 + (size_t)size_of_type() * y.sizes[3];
    }
    int size_of_type() const { return x.type == 0 ? 4 : 2; }
    // Algorithms have numbers that cannot be guessed.
    int algorithm(Kind kind) const { return kind == FORWARD ? 1 : kind == DATA ? 1 : 3; }
    // float32 values are rounded to TF32 where that is not forbidden.
    bool shortens() const { return x.type == 0 && c.math != 3; }
};

int problem(void* handle, void* x, void* w, void* c, void* y, Problem& p) {
    Handle* h = get<Handle>(handle);
    Tensor *tx = get<Tensor>(x), *ty = get<Tensor>(y);
    Filter* tw = get<Filter>(w);
    Convolution* tc = get<Convolution>(c);
    if (!h || !tx || !ty || !tw || !tc) return BAD_PARAM;
    p = Problem{*tx, *ty, *tw, *tc};
    return p.check();
}

int advise(Kind kind, const Problem& p, int most, int* count, Advice* advice) {
    // The first is one that does not fit, as can happen.
    *count = 0;
    if (most > 1) advice[(*count)++] = Advice{0, NOT_SUPPORTED, -1, 0, 0, p.c.math, {}};
    if (most > 2) advice[(*count)++] = Advice{5, SUCCESS, 0.5f, (size_t)1 << 40, 1, p.c.math, {}};
    advice[(*count)++] = Advice{p.algorithm(kind), SUCCESS, 1, p.workspace(kind), 1, p.c.math, {}};
    return SUCCESS;
}

struct Work {
    Problem p;
    Kind kind;
    uint64_t x, w, y, space, size;
    double alpha, beta;
};

int64_t at(const Tensor& t, int n, int c, int h, int w) {
    return (int64_t)n * t.strides[0] + (int64_t)c * t.strides[1] + (int64_t)h * t.strides[2] + (int64_t)w * t.strides[3];
}
int64_t at(const Filter& f, int k, int c, int h, int w) {
    const int* s = f.sizes;
    return f.format == 0 ? (((int64_t)k * s[1] + c) * s[2] + h) * s[3] + w : (((int64_t)k * s[2] + h) * s[3] + w) * s[1] + c;
}
uint64_t count(const int* sizes) { return (uint64_t)sizes[0] * sizes[1] * sizes[2] * sizes[3]; }

int convolve(void* context) {
    Work& work = *(Work*)context;
    const Problem& p = work.p;
    Element e;
    element(p.x.type, e);
    const struct { uint64_t address, elements; const char* what; } ends[] = {
        {work.x, count(p.x.sizes), "the images"}, {work.w, count(p.w.sizes), "the filter"}, {work.y, count(p.y.sizes), "the result"}};
    for (auto& end : ends)
        if (stand_in_extent(end.address) < end.elements * size_of(e)) {
            stand_in_violation("cuDNN: %s of %llu elements are not in an allocation", end.what, (unsigned long long)end.elements);
            return 700;
        }
    if (stand_in_extent(work.space) < work.size) {
        stand_in_violation("cuDNN: the workspace is not in an allocation");
        return 700;
    }
    auto near = [&](double v) { return p.shortens() ? shortened(v) : v; };
    std::vector<double> x(count(p.x.sizes)), w(count(p.w.sizes)), y(count(p.y.sizes));
    if (work.kind != DATA)
        for (size_t i = 0; i < x.size(); i++) x[i] = near(load(e, work.x, i));
    if (work.kind != FILTER)
        for (size_t i = 0; i < w.size(); i++) w[i] = near(load(e, work.w, i));
    if (work.kind != FORWARD)
        for (size_t i = 0; i < y.size(); i++) y[i] = near(load(e, work.y, i));
    int each_in = p.w.sizes[1], each_out = p.w.sizes[0] / p.c.groups;
    for (int n = 0; n < p.y.sizes[0]; n++)
        for (int k = 0; k < p.w.sizes[0]; k++)
            for (int oh = 0; oh < p.y.sizes[2]; oh++)
                for (int ow = 0; ow < p.y.sizes[3]; ow++) {
                    double& out = y[at(p.y, n, k, oh, ow)];
                    double sum = 0;
                    for (int c = 0; c < each_in; c++)
                        for (int r = 0; r < p.w.sizes[2]; r++)
                            for (int s = 0; s < p.w.sizes[3]; s++) {
                                int ih = oh * p.c.strides[0] + r * p.c.dilations[0] - p.c.padding[0];
                                int iw = ow * p.c.strides[1] + s * p.c.dilations[1] - p.c.padding[1];
                                if (ih < 0 || iw < 0 || ih >= p.x.sizes[2] || iw >= p.x.sizes[3]) continue;
                                double& in = x[at(p.x, n, k / each_out * each_in + c, ih, iw)];
                                double& tap = w[at(p.w, k, c, r, s)];
                                if (work.kind == FORWARD) sum += in * tap;
                                if (work.kind == DATA) in += out * tap;
                                if (work.kind == FILTER) tap += out * in;
                            }
                    if (work.kind == FORWARD) out = sum;
                }
    const std::vector<double>& made = work.kind == FORWARD ? y : work.kind == DATA ? x : w;
    uint64_t to = work.kind == FORWARD ? work.y : work.kind == DATA ? work.x : work.w;
    for (size_t i = 0; i < made.size(); i++) {
        double value = work.alpha * made[i] + (work.beta != 0 ? work.beta * load(e, to, i) : 0);
        store(e, to, i, value);
    }
    return 0;
}

int start(Kind kind, void* handle, const void* alpha, const void* beta, const Problem& p, int algorithm, void* workspace, size_t size,
    const void* x, const void* w, const void* y) {
    if (algorithm != p.algorithm(kind)) {
        stand_in_violation("cuDNN: algorithm %d was not advised for this", algorithm);
        return NOT_SUPPORTED;
    }
    if (getenv("LEVADA_STAND_IN_REFUSE")) return NOT_SUPPORTED;
    uint64_t space = (uint64_t)workspace;
    if (size < p.workspace(kind) || space % 256) {
        stand_in_violation("cuDNN: a workspace of %zu bytes, %zu are needed", size, p.workspace(kind));
        return BAD_PARAM;
    }
    for (const void* end : {x, w, y})
        if ((uint64_t)end % 16) {
            stand_in_violation("cuDNN: an address is not a multiple of 16");
            return BAD_PARAM;
        }
    auto work = new Work{p, kind, (uint64_t)x, (uint64_t)w, (uint64_t)y, space, size, *(const float*)alpha, *(const float*)beta};
    std::vector<Use> uses = {{work->x, kind == DATA}, {work->w, kind == FILTER}, {work->y, kind == FORWARD}, {space, true}};
    void* stream = ((Handle*)handle)->stream;
    int code = stand_in_queue(stream, "a convolution", uses.data(), uses.size(), convolve, [](void* w) { delete (Work*)w; }, work);
    return code ? EXECUTION_FAILED : SUCCESS;
}
} // namespace

extern "C" {
size_t cudnnGetVersion() { return 92100; }
const char* cudnnGetErrorString(int) { return "the stand-in for cuDNN failed"; }

int cudnnCreate(void** handle) { return made<Handle>(handle); }
int cudnnDestroy(void* handle) { return gone<Handle>(handle); }
int cudnnSetStream(void* handle, void* stream) {
    Handle* h = get<Handle>(handle);
    if (!h) return BAD_PARAM;
    h->stream = stream;
    return SUCCESS;
}

int cudnnCreateTensorDescriptor(void** handle) { return made<Tensor>(handle); }
int cudnnDestroyTensorDescriptor(void* handle) { return gone<Tensor>(handle); }
int cudnnSetTensor4dDescriptorEx(void* handle, int type, int n, int c, int h, int w, int sn, int sc, int sh, int sw) {
    Tensor* tensor = get<Tensor>(handle);
    Element e;
    if (!tensor || !element(type, e) || n < 1 || c < 1 || h < 1 || w < 1) return BAD_PARAM;
    *tensor = Tensor{type, {n, c, h, w}, {sn, sc, sh, sw}, true};
    return SUCCESS;
}

int cudnnCreateFilterDescriptor(void** handle) { return made<Filter>(handle); }
int cudnnDestroyFilterDescriptor(void* handle) { return gone<Filter>(handle); }
int cudnnSetFilter4dDescriptor(void* handle, int type, int format, int k, int c, int h, int w) {
    Filter* filter = get<Filter>(handle);
    Element e;
    if (!filter || !element(type, e) || format < 0 || format > 1 || k < 1 || c < 1 || h < 1 || w < 1) return BAD_PARAM;
    *filter = Filter{type, format, {k, c, h, w}, true};
    return SUCCESS;
}

int cudnnCreateConvolutionDescriptor(void** handle) { return made<Convolution>(handle); }
int cudnnDestroyConvolutionDescriptor(void* handle) { return gone<Convolution>(handle); }
int cudnnSetConvolution2dDescriptor(void* handle, int ph, int pw, int u, int v, int dh, int dw, int mode, int compute) {
    Convolution* c = get<Convolution>(handle);
    if (!c || ph < 0 || pw < 0 || u < 1 || v < 1 || dh < 1 || dw < 1 || mode != 1) return BAD_PARAM;
    *c = Convolution{{ph, pw}, {u, v}, {dh, dw}, compute, 1, 0, true};
    return SUCCESS;
}
int cudnnSetConvolutionGroupCount(void* handle, int groups) {
    Convolution* c = get<Convolution>(handle);
    if (!c) return BAD_PARAM;
    c->groups = groups;
    return SUCCESS;
}
int cudnnSetConvolutionMathType(void* handle, int math) {
    Convolution* c = get<Convolution>(handle);
    if (!c || math < 0 || math > 3) return BAD_PARAM;
    c->math = math;
    return SUCCESS;
}

int cudnnGetConvolutionForwardAlgorithm_v7(void* h, void* x, void* w, void* c, void* y, int most, int* count, Advice* advice) {
    Problem p;
    int status = problem(h, x, w, c, y, p);
    return status ? status : advise(FORWARD, p, most, count, advice);
}
int cudnnGetConvolutionBackwardDataAlgorithm_v7(void* h, void* w, void* y, void* c, void* x, int most, int* count, Advice* advice) {
    Problem p;
    int status = problem(h, x, w, c, y, p);
    return status ? status : advise(DATA, p, most, count, advice);
}
int cudnnGetConvolutionBackwardFilterAlgorithm_v7(void* h, void* x, void* y, void* c, void* w, int most, int* count, Advice* advice) {
    Problem p;
    int status = problem(h, x, w, c, y, p);
    return status ? status : advise(FILTER, p, most, count, advice);
}

int cudnnConvolutionForward(void* h, const void* alpha, void* xd, const void* x, void* wd, const void* w, void* c, int algorithm,
    void* workspace, size_t size, const void* beta, void* yd, void* y) {
    Problem p;
    int status = problem(h, xd, wd, c, yd, p);
    return status ? status : start(FORWARD, h, alpha, beta, p, algorithm, workspace, size, x, w, y);
}
int cudnnConvolutionBackwardData(void* h, const void* alpha, void* wd, const void* w, void* yd, const void* y, void* c, int algorithm,
    void* workspace, size_t size, const void* beta, void* xd, void* x) {
    Problem p;
    int status = problem(h, xd, wd, c, yd, p);
    return status ? status : start(DATA, h, alpha, beta, p, algorithm, workspace, size, x, w, y);
}
int cudnnConvolutionBackwardFilter(void* h, const void* alpha, void* xd, const void* x, void* yd, const void* y, void* c, int algorithm,
    void* workspace, size_t size, const void* beta, void* wd, void* w) {
    Problem p;
    int status = problem(h, xd, wd, c, yd, p);
    return status ? status : start(FILTER, h, alpha, beta, p, algorithm, workspace, size, x, w, y);
}
}
