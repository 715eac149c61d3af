#!/usr/bin/env python3
"""Writes coefficients.rs: the polynomials of wide_math.rs, fitted at Chebyshev nodes in 40 digits, and the bits of 2 / pi.

    pip install mpmath
    python coefficients.py > coefficients.rs
"""
import mpmath as mp
from mpmath import mpf

mp.mp.dps = 100


def fit(name, doc, of, low, high, degree):
    """Prints the polynomial that interpolates a function at the Chebyshev nodes of an interval, constant term first."""
    count = degree + 1
    nodes = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    powers = mp.matrix(count, count)
    for i, x in enumerate(nodes):
        for j in range(count):
            powers[i, j] = x**j
    solved = mp.lu_solve(powers, mp.matrix([of(x) for x in nodes]))
    print(f"/// {doc}")
    print(f"pub(super) const {name}: [f64; {count}] = [")
    for value in solved:
        print(f"    {float(value)!r},")
    print("];")


def atan(z):
    return mp.atan(mp.sqrt(z)) / mp.sqrt(z) if z else mpf(1)


def sine(z):
    return mp.sin(mp.sqrt(z)) / mp.sqrt(z) if z else mpf(1)


def log2(z):
    t = mp.sqrt(z)
    return mp.log((1 + t) / (1 - t), 2) / t if z else 2 / mp.log(2)


def scaled_erfc(t):
    x = 3 * (1 + t) / (1 - t)
    return mp.exp(x * x) * mp.erfc(x) * (1 + 2 * x)


print("//! Written by `coefficients.py`; do not edit.\n")
print("#![allow(clippy::excessive_precision, clippy::unreadable_literal, clippy::approx_constant)]\n")
half = mp.log(2) / 2 * mpf("1.0001")
fit("EXP", "`(e^x - 1 - x) / x^2`, for `|x| <= ln(2) / 2`.", lambda x: (mp.expm1(x) - x) / x**2 if x else mpf(0.5), -half, half, 11)
fit("EXP2", "`(2^x - 1) / x`, for `|x| <= 1/2`.", lambda x: (mpf(2) ** x - 1) / x if x else mp.log(2), mpf(-0.5), mpf(0.5), 7)
fit("LOG2", "`log2((1 + t) / (1 - t)) / t` by `t^2`, for `|t| <= 0.1716`.", log2, mpf(0), mpf("0.02945"), 5)
fit("ATAN", "`atan(x) / x` by `x^2`, for `|x| <= 1`.", atan, mpf(0), mpf(1), 10)
fit("ERFC", "`e^(x^2) erfc(x) (1 + 2 x)` by `t = (x - 3) / (x + 3)`, for `0 <= x <= 10.3`.", scaled_erfc, mpf(-1), mpf("7.3") / mpf("13.3"), 11)
quarter = (mp.pi / 4) ** 2 * mpf("1.001")
fit("SIN", "`sin(x) / x` by `x^2`, for `|x| <= pi / 4`.", sine, mpf(0), quarter, 5)
fit("COS", "`cos(x)` by `x^2`, for `|x| <= pi / 4`.", lambda z: mp.cos(mp.sqrt(z)), mpf(0), quarter, 5)
bits = int(mp.floor(2 / mp.pi * mpf(2) ** 256))
print("/// The bits of `2 / pi` after the point.")
print("pub(super) const TWO_OVER_PI: [u64; 4] = [")
for i in range(4):
    print(f"    0x{bits >> (192 - 64 * i) & (1 << 64) - 1:016x},")
print("];")
