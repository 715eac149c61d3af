// Elements of the libraries' tensors.

#pragma once
#include <cstdint>
#include <cstring>

enum class Element { F32, F64, F16, BF16 };

inline size_t size_of(Element e) { return e == Element::F64 ? 8 : e == Element::F32 ? 4 : 2; }

inline float from_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

inline uint32_t to_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

inline double load(Element e, uint64_t address, int64_t i) {
    switch (e) {
    case Element::F32: return ((const float*)address)[i];
    case Element::F64: return ((const double*)address)[i];
    case Element::BF16: return from_bits((uint32_t)((const uint16_t*)address)[i] << 16);
    case Element::F16: break;
    }
    uint16_t h = ((const uint16_t*)address)[i];
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, m = h & 0x7fff;
    if (m >= 0x7c00) return from_bits(sign | 0x7f800000 | (m & 0x3ff) << 13);
    if (m >= 0x400) return from_bits(sign | ((m << 13) + 0x38000000));
    return (sign ? -1.0 : 1.0) * m * 0x1p-24;
}

inline void store(Element e, uint64_t address, int64_t i, double value) {
    if (e == Element::F64) {
        ((double*)address)[i] = value;
        return;
    }
    uint32_t b = to_bits((float)value), m = b & 0x7fffffff;
    switch (e) {
    case Element::F32: ((float*)address)[i] = (float)value; return;
    case Element::BF16:
        ((uint16_t*)address)[i] = m > 0x7f800000 ? (b >> 16 | 0x40) : (b + 0x7fff + (b >> 16 & 1)) >> 16;
        return;
    default: break;
    }
    uint16_t sign = b >> 16 & 0x8000, h;
    if (m > 0x7f800000) {
        h = 0x7fff;
    } else if (m >= 0x477ff000) {
        h = sign | 0x7c00;
    } else if (m < 0x38800000) {
        h = sign | (uint16_t)(to_bits(from_bits(m) + 0.5f) - 0x3f000000);
    } else {
        h = sign | (uint16_t)((m + 0xfff + (m >> 13 & 1) - 0x38000000) >> 13);
    }
    ((uint16_t*)address)[i] = h;
}

// A float with as many bits as tensor cores keep of it where float32 may be rounded.
inline double shortened(double x) { return from_bits((to_bits((float)x) + 0x1000) & 0xffffe000); }
