// A stand-in for cuBLASLt: products of matrices by the definition, on the stand-in for the driver. It supports what is
// used here, and checks it: handles, layouts, alignment, that an algorithm is used for what it was found for, that the
// workspace and the matrices are where they are said to be.

#include "driver.h"
#include "numbers.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <vector>

namespace {
enum Status { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13, NOT_SUPPORTED = 15 };

struct Matmul { int compute, scale, transposed[2]; };
struct Layout { int type; uint64_t rows, columns; int64_t leading; int batch; int64_t stride; };
struct Wish { uint64_t workspace; uint32_t alignment[4]; };
// An algorithm, as the caller keeps it: what it was found for.
struct Way { uint64_t magic, what, workspace; uint32_t alignment[4]; uint64_t unused[3]; };
static_assert(sizeof(Way) == 64, "");
struct Found { Way way; size_t workspace; int state; float waves; int reserved[4]; };

const uint64_t MAGIC = 0x6c65766164610001ull;

std::mutex lock;
std::set<void*>& all() {
    static auto* made = new std::set<void*>;
    return *made;
}

template <class T> T* get(void* handle, const char* what) {
    std::lock_guard<std::mutex> held(lock);
    if (all().count(handle)) return (T*)handle;
    stand_in_violation("cuBLASLt: there is no %s %p", what, handle);
    return nullptr;
}

template <class T> int made(void** handle, T value) {
    std::lock_guard<std::mutex> held(lock);
    *handle = new T(value);
    all().insert(*handle);
    return SUCCESS;
}

template <class T> int gone(void* handle, const char* what) {
    T* found = get<T>(handle, what);
    if (!found) return INVALID_VALUE;
    std::lock_guard<std::mutex> held(lock);
    all().erase(handle);
    delete found;
    return SUCCESS;
}

bool element(int type, Element& e) {
    switch (type) {
    case 0: e = Element::F32; return true;
    case 1: e = Element::F64; return true;
    case 2: e = Element::F16; return true;
    case 14: e = Element::BF16; return true;
    }
    return false;
}

uint64_t mixed(uint64_t a, uint64_t b) { return (a ^ b) * 0x9e3779b97f4a7c15ull + (a >> 31); }

uint64_t number(const Matmul& m, const Layout* const* layouts) {
    uint64_t n = mixed(mixed(m.compute, m.scale), m.transposed[0] * 4 + m.transposed[1]);
    for (int i = 0; i < 4; i++) {
        const Layout& l = *layouts[i];
        for (uint64_t x : {(uint64_t)l.type, l.rows, l.columns, (uint64_t)l.leading, (uint64_t)l.batch, (uint64_t)l.stride}) n = mixed(n, x);
    }
    return n;
}

// Whether the matrices are compatible: a, b, c and d.
bool fit(const Matmul& m, const Layout* const* l) {
    auto rows = [&](int i) { return m.transposed[i] ? l[i]->columns : l[i]->rows; };
    auto columns = [&](int i) { return m.transposed[i] ? l[i]->rows : l[i]->columns; };
    for (int i = 0; i < 4; i++) {
        if (!l[i]->rows || !l[i]->columns || (uint64_t)l[i]->leading < l[i]->rows || l[i]->batch != l[3]->batch) return false;
        if (l[i]->type != l[3]->type || l[i]->batch < 1) return false;
    }
    return rows(0) == l[3]->rows && columns(1) == l[3]->columns && columns(0) == rows(1) && l[2]->rows == l[3]->rows &&
        l[2]->columns == l[3]->columns;
}

struct Work {
    Matmul matmul;
    Layout layouts[4];
    uint64_t at[4];
    double alpha, beta;
};

int multiply(void* context) {
    Work& w = *(Work*)context;
    Element e;
    element(w.layouts[0].type, e);
    for (int i = 0; i < 4; i++) {
        const Layout& l = w.layouts[i];
        uint64_t last = (uint64_t)(l.batch - 1) * l.stride + (l.columns - 1) * l.leading + l.rows;
        if (i == 2 && w.beta == 0) continue;
        if (stand_in_extent(w.at[i]) < last * size_of(e)) {
            stand_in_violation("cuBLASLt: matrix %d of %llu elements is not in an allocation", i, (unsigned long long)last);
            return 700;
        }
    }
    const Layout &a = w.layouts[0], &b = w.layouts[1], &c = w.layouts[2], &d = w.layouts[3];
    uint64_t m = d.rows, n = d.columns, k = w.matmul.transposed[0] ? a.rows : a.columns;
    bool shorter = w.matmul.compute == 77;
    std::vector<double> x(m * k), y(k * n);
    for (int batch = 0; batch < d.batch; batch++) {
        for (uint64_t i = 0; i < m; i++)
            for (uint64_t j = 0; j < k; j++) {
                uint64_t at = w.matmul.transposed[0] ? j + i * a.leading : i + j * a.leading;
                x[i * k + j] = load(e, w.at[0], batch * a.stride + at);
            }
        for (uint64_t i = 0; i < k; i++)
            for (uint64_t j = 0; j < n; j++) {
                uint64_t at = w.matmul.transposed[1] ? j + i * b.leading : i + j * b.leading;
                y[j * k + i] = load(e, w.at[1], batch * b.stride + at);
            }
        if (shorter) {
            for (double& v : x) v = shortened(v);
            for (double& v : y) v = shortened(v);
        }
        for (uint64_t j = 0; j < n; j++)
            for (uint64_t i = 0; i < m; i++) {
                double sum = 0;
                for (uint64_t s = 0; s < k; s++) sum += x[i * k + s] * y[j * k + s];
                sum *= w.alpha;
                if (w.beta != 0) sum += w.beta * load(e, w.at[2], batch * c.stride + i + j * c.leading);
                store(e, w.at[3], batch * d.stride + i + j * d.leading, sum);
            }
    }
    return 0;
}
} // namespace

extern "C" {
size_t cublasLtGetVersion() { return 130002; }
int cublasLtCreate(void** handle) { return made(handle, 0); }
int cublasLtDestroy(void* handle) { return gone<int>(handle, "handle"); }

int cublasLtMatmulDescCreate(void** handle, int compute, int scale) {
    bool fits = (compute == 68 || compute == 77) ? scale == 0 : compute == 70 && scale == 1;
    if (!fits) return INVALID_VALUE;
    return made(handle, Matmul{compute, scale, {0, 0}});
}
int cublasLtMatmulDescDestroy(void* handle) { return gone<Matmul>(handle, "description"); }

int cublasLtMatmulDescSetAttribute(void* handle, int attribute, const void* value, size_t size) {
    Matmul* matmul = get<Matmul>(handle, "description");
    if (!matmul || size != 4 || (attribute != 3 && attribute != 4)) return INVALID_VALUE;
    int transposed = *(const int*)value;
    if (transposed != 0 && transposed != 1) return INVALID_VALUE;
    matmul->transposed[attribute - 3] = transposed;
    return SUCCESS;
}

int cublasLtMatrixLayoutCreate(void** handle, int type, uint64_t rows, uint64_t columns, int64_t leading) {
    Element e;
    if (!element(type, e) || leading < (int64_t)rows) return INVALID_VALUE;
    return made(handle, Layout{type, rows, columns, leading, 1, 0});
}
int cublasLtMatrixLayoutDestroy(void* handle) { return gone<Layout>(handle, "layout"); }

int cublasLtMatrixLayoutSetAttribute(void* handle, int attribute, const void* value, size_t size) {
    Layout* layout = get<Layout>(handle, "layout");
    if (!layout) return INVALID_VALUE;
    if (attribute == 5 && size == 4) {
        layout->batch = *(const int*)value;
    } else if (attribute == 6 && size == 8) {
        layout->stride = *(const int64_t*)value;
    } else {
        return INVALID_VALUE;
    }
    return SUCCESS;
}

int cublasLtMatmulPreferenceCreate(void** handle) { return made(handle, Wish{0, {256, 256, 256, 256}}); }
int cublasLtMatmulPreferenceDestroy(void* handle) { return gone<Wish>(handle, "preference"); }

int cublasLtMatmulPreferenceSetAttribute(void* handle, int attribute, const void* value, size_t size) {
    Wish* wish = get<Wish>(handle, "preference");
    if (!wish) return INVALID_VALUE;
    if (attribute == 1 && size == 8) {
        wish->workspace = *(const uint64_t*)value;
    } else if (attribute >= 5 && attribute <= 8 && size == 4) {
        wish->alignment[attribute - 5] = *(const uint32_t*)value;
    } else {
        return INVALID_VALUE;
    }
    return SUCCESS;
}

int cublasLtMatmulAlgoGetHeuristic(void* handle, void* what, void* a, void* b, void* c, void* d, void* preference, int most,
    Found* found, int* count) {
    *count = 0;
    Matmul* matmul = get<Matmul>(what, "description");
    Wish* wish = get<Wish>(preference, "preference");
    const Layout* layouts[] = {get<Layout>(a, "layout"), get<Layout>(b, "layout"), get<Layout>(c, "layout"), get<Layout>(d, "layout")};
    if (!get<int>(handle, "handle") || !matmul || !wish || most < 1) return INVALID_VALUE;
    for (const Layout* l : layouts)
        if (!l) return INVALID_VALUE;
    if (!fit(*matmul, layouts)) return INVALID_VALUE;
    *found = Found{};
    found->way.magic = MAGIC;
    found->way.what = number(*matmul, layouts);
    found->workspace = found->way.workspace = std::min<uint64_t>(wish->workspace, 1 << 20);
    std::copy(wish->alignment, wish->alignment + 4, found->way.alignment);
    *count = 1;
    return SUCCESS;
}

int cublasLtMatmul(void* handle, void* what, const void* alpha, const void* a, void* al, const void* b, void* bl, const void* beta,
    const void* c, void* cl, void* d, void* dl, const Way* way, void* workspace, size_t size, void* stream) {
    Matmul* matmul = get<Matmul>(what, "description");
    const Layout* layouts[] = {get<Layout>(al, "layout"), get<Layout>(bl, "layout"), get<Layout>(cl, "layout"), get<Layout>(dl, "layout")};
    if (!get<int>(handle, "handle") || !matmul) return INVALID_VALUE;
    for (const Layout* l : layouts)
        if (!l) return INVALID_VALUE;
    if (!fit(*matmul, layouts)) return INVALID_VALUE;
    if (!way || way->magic != MAGIC || way->what != number(*matmul, layouts)) {
        stand_in_violation("cuBLASLt: a way of computing that was found for something else");
        return NOT_SUPPORTED;
    }
    if (getenv("LEVADA_STAND_IN_REFUSE")) return NOT_SUPPORTED;
    if (size < way->workspace || (way->workspace && (uint64_t)workspace % 256)) {
        stand_in_violation("cuBLASLt: the workspace is too small");
        return INVALID_VALUE;
    }
    uint64_t at[] = {(uint64_t)a, (uint64_t)b, (uint64_t)c, (uint64_t)d};
    for (int i = 0; i < 4; i++)
        if (at[i] % way->alignment[i]) {
            stand_in_violation("cuBLASLt: matrix %d is not aligned to %u bytes, as was said", i, way->alignment[i]);
            return INVALID_VALUE;
        }
    auto scale = [&](const void* value) { return matmul->scale == 1 ? *(const double*)value : *(const float*)value; };
    auto work = new Work{*matmul, {*layouts[0], *layouts[1], *layouts[2], *layouts[3]}, {at[0], at[1], at[2], at[3]}, scale(alpha), scale(beta)};
    std::vector<Use> uses = {{at[0], false}, {at[1], false}, {at[3], true}};
    if (way->workspace) uses.push_back({(uint64_t)workspace, true});
    int code = stand_in_queue(stream, "a product", uses.data(), uses.size(), multiply, [](void* w) { delete (Work*)w; }, work);
    return code ? EXECUTION_FAILED : SUCCESS;
}

const char* cublasLtGetStatusString(int) { return "the stand-in for cuBLASLt failed"; }
}
