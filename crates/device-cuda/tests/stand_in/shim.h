// The environment of programs, as if NVRTC compiled them. No header is included, so that compiling is fast.

typedef unsigned long size_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int int32_t;
typedef long long int64_t;

#define __device__
#define __forceinline__ inline
#define __restrict__
#define __launch_bounds__(...)
#define __syncthreads() (this->barrier())
#define __align__(n) __attribute__((aligned(n)))

extern "C" {
#define ONE(name) float name##f(float); double name(double);
#define TWO(name) float name##f(float, float); double name(double, double);
ONE(exp) ONE(log) ONE(sqrt) ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(tanh) ONE(floor) ONE(ceil)
ONE(trunc) ONE(rint) ONE(round) ONE(fabs) ONE(exp2) ONE(log2) ONE(log10) ONE(log1p) ONE(expm1) ONE(erf) ONE(erfc) ONE(sinh)
ONE(cosh) ONE(asinh) ONE(acosh) ONE(atanh) ONE(cbrt)
TWO(fmin) TWO(fmax) TWO(fmod) TWO(pow) TWO(atan2) TWO(copysign)
float fmaf(float, float, float);
double fma(double, double, double);
void* memcpy(void*, const void*, size_t);
#undef ONE
#undef TWO
}

template <class To, class From> static inline To stand_in_bits(From x) {
    static_assert(sizeof(To) == sizeof(From), "");
    To to;
    __builtin_memcpy(&to, &x, sizeof to);
    return to;
}
static inline float __uint_as_float(uint32_t x) { return stand_in_bits<float>(x); }
static inline float __int_as_float(int x) { return stand_in_bits<float>(x); }
static inline uint32_t __float_as_uint(float x) { return stand_in_bits<uint32_t>(x); }
static inline int __float_as_int(float x) { return stand_in_bits<int>(x); }
static inline double __longlong_as_double(long long x) { return stand_in_bits<double>(x); }
static inline long long __double_as_longlong(double x) { return stand_in_bits<long long>(x); }

// The instructions saturate. NaN gives 0, or the highest bit alone if either side has 64 bits.
template <class To, class From> static inline To stand_in_to(From x, To least, To most, To none, double below, double above) {
    if (x != x) return none;
    if ((double)x <= below) return least;
    if ((double)x >= above) return most;
    return (To)x;
}
#define TO(name, to, from, least, most, none, below, above)                                                                 \
    static inline to name(from x) { return stand_in_to<to, from>(x, least, most, none, below, above); }
#define FROM(f, none, unsigned_none)                                                                                         \
    TO(__##f##2int_rz, int, f, (-2147483647 - 1), 2147483647, none, -2147483648.0, 2147483648.0)                            \
    TO(__##f##2uint_rz, uint32_t, f, 0u, 4294967295u, unsigned_none, 0.0, 4294967296.0)                                     \
    TO(__##f##2ll_rz, long long, f, (-9223372036854775807ll - 1), 9223372036854775807ll, (-9223372036854775807ll - 1),      \
        -9223372036854775808.0, 9223372036854775808.0)                                                                      \
    TO(__##f##2ull_rz, unsigned long long, f, 0ull, 18446744073709551615ull, 9223372036854775808ull, 0.0,                   \
        18446744073709551616.0)
FROM(float, 0, 0u)
FROM(double, (-2147483647 - 1), 2147483648u)
#undef FROM
#undef TO

static inline float stand_in_from_half(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16, m = h & 0x7fffu;
    if (m >= 0x7c00u) return __uint_as_float(sign | 0x7f800000u | (m & 0x3ffu) << 13);
    if (m >= 0x400u) return __uint_as_float(sign | ((m << 13) + 0x38000000u));
    float small = (float)m * 5.9604644775390625e-8f;
    return sign ? -small : small;
}
static inline uint16_t stand_in_to_half(float x) {
    uint32_t b = __float_as_uint(x), sign = b >> 16 & 0x8000u, m = b & 0x7fffffffu;
    if (m > 0x7f800000u) return 0x7fffu;
    if (m >= 0x477ff000u) return (uint16_t)(sign | 0x7c00u);
    if (m < 0x38800000u) {
        // Adding this leaves the bits of a subnormal half, rounded to even.
        float shifted = __uint_as_float(m) + 0.5f;
        return (uint16_t)(sign | (__float_as_uint(shifted) - 0x3f000000u));
    }
    return (uint16_t)(sign | ((m + 0xfffu + (m >> 13 & 1u) - 0x38000000u) >> 13));
}

// Blocks run one after the other.
template <class T, class V> static inline T atomicAdd(T* at, V by) {
    T old = *at;
    *at = old + (T)by;
    return old;
}
template <class T> static inline T __ldg(const T* at) { return *at; }
template <class T> static inline T min(T a, T b) { return b < a ? b : a; }
template <class T> static inline T max(T a, T b) { return a < b ? b : a; }
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline float __expf(float x) { return expf(x); }
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __frcp_rn(float x) { return 1.0f / x; }
struct uint2 { uint32_t x, y; };
struct __align__(16) uint4 { uint32_t x, y, z, w; };
struct __align__(8) float2 { float x, y; };
struct __align__(16) float4 { float x, y, z, w; };
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static inline float2 make_float2(float x, float y) { return {x, y}; }

struct StandInDim { unsigned x, y, z; };
struct StandInInvocation {
    StandInDim threadIdx, blockIdx, blockDim, gridDim;
    char* shared;
    void (*barrier)();
};
