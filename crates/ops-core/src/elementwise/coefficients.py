#!/usr/bin/env python3
"""Writes coefficients.rs: the polynomials of wide_math.rs and vector_math.rs, fitted in 100 digits, and the bits of 2 / pi.

    pip install mpmath
    python coefficients.py > coefficients.rs
"""
import mpmath as mp
from mpmath import mpf

mp.mp.dps = 100


def chebyshev(low, high, count):
    return [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]


def show(name, doc, coefficients, dtype="f64"):
    print(f"/// {doc}")
    print(f"pub(super) const {name}: [{dtype}; {len(coefficients)}] = [")
    for value in coefficients:
        print(f"    {float(value)!r},")
    print("];")


def fit(name, doc, of, low, high, degree, dtype="f64"):
    """Prints the polynomial that interpolates a function at the Chebyshev nodes of an interval, constant term first."""
    count = degree + 1
    nodes = chebyshev(low, high, count)
    powers = mp.matrix(count, count)
    for i, x in enumerate(nodes):
        for j in range(count):
            powers[i, j] = x**j
    show(name, doc, mp.lu_solve(powers, mp.matrix([of(x) for x in nodes])), dtype)


def fit_quotient(names, doc, of, high, degree):
    """Prints the numerator and the denominator of the quotient of polynomials with the least relative error on the interval
    from 0 to `high`, constant terms first. By reweighted least squares, after Lawson."""
    nodes, size = chebyshev(mpf(0), high, 120), degree + 1
    values = [of(x) for x in nodes]
    weights, quotients, best = [mpf(1)] * len(nodes), [mpf(1)] * len(nodes), None
    for _ in range(25):
        rows = mp.matrix(len(nodes), 2 * size - 1)
        right = mp.matrix(len(nodes), 1)
        for i, (x, value) in enumerate(zip(nodes, values)):
            weight = mp.sqrt(weights[i]) / abs(quotients[i] * value)
            for j in range(size):
                rows[i, j] = weight * (x / high) ** j
            for j in range(1, size):
                rows[i, degree + j] = -weight * value * (x / high) ** j
            right[i] = weight * value
        solved = list(mp.lu_solve(rows.T * rows, rows.T * right))
        top, bottom = solved[:size], [mpf(1)] + solved[size:]
        quotients = [mp.polyval(bottom[::-1], x / high) for x in nodes]
        errors = [abs(mp.polyval(top[::-1], x / high) / q / value - 1) for x, q, value in zip(nodes, quotients, values)]
        if best is None or max(errors) < best[0]:
            best = max(errors), [[c / high**j for j, c in enumerate(part)] for part in (top, bottom)]
        weights = [weight * (error / max(errors) + mpf("1e-3")) for weight, error in zip(weights, errors)]
        weights = [weight * len(nodes) / sum(weights) for weight in weights]
    for name, coefficients in zip(names, best[1]):
        show(name, doc, coefficients)


def atan(z):
    return mp.atan(mp.sqrt(z)) / mp.sqrt(z) if z else mpf(1)


def asin(z):
    return mp.asin(mp.sqrt(z)) / mp.sqrt(z) if z else mpf(1)


def atanh(z):
    return mp.atanh(mp.sqrt(z)) / mp.sqrt(z) if z else mpf(1)


def erf(z):
    return mp.erf(mp.sqrt(z)) / mp.sqrt(z) if z else 2 / mp.sqrt(mp.pi)


def less_one(of, limit):
    return lambda z: (of(z) - 1) / z if z else limit


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
eighth = mp.tan(mp.pi / 8) ** 2 * mpf("1.0005")
fit("ATAN_SMALL", "`(atan(x) / x - 1) / x^2` by `x^2`, for `|x| <= tan(pi / 8)`.", less_one(atan, -mpf(1) / 3), mpf(0), eighth, 10)
fit("ATAN_SMALL_F32", "`(atan(x) / x - 1) / x^2` by `x^2`, for `|x| <= tan(pi / 8)`.", less_one(atan, -mpf(1) / 3), mpf(0), eighth, 4, "f32")
fit("ASIN_F32", "`(asin(x) / x - 1) / x^2` by `x^2`, for `|x| <= 1/2`.", less_one(asin, mpf(1) / 6), mpf(0), mpf(0.25), 5, "f32")
fit("ATANH", "`(atanh(x) / x - 1) / x^2` by `x^2`, for `|x| <= 0.1716`.", less_one(atanh, mpf(1) / 3), mpf(0), mpf("0.02945"), 8)
of_erf = "of the quotient that is `erf(x) / x` by `x^2`, for `|x| <= 4`."
fit_quotient(("ERF", "ERF_BELOW"), f"A part {of_erf}", erf, mpf(16), 6)
of_erfc = "`(e^(x^2) erfc(x) (1 + 2 x) - 1) / t` by `t - 1`, where `t = 2 x / (x + 3)`, for `0 <= x <= {}`."
for name, high, degree, dtype in (("ERFC", "27.3", 22, "f64"), ("ERFC_F32", "10.3", 9, "f32")):
    last = 2 * mpf(high) / (mpf(high) + 3) - 1
    fit(name, of_erfc.format(high), lambda t: (scaled_erfc(t) - 1) / (t + 1), mpf(-1), last, degree, dtype)
fit("ERF_SMALL", "`erf(x) / x` by `x^2`, for `|x| <= 1`.", erf, mpf(0), mpf(1), 12)
quarter = (mp.pi / 4) ** 2 * mpf("1.001")
cosine = lambda z: mp.cos(mp.sqrt(z))
fit("SIN_F32", "`(sin(x) / x - 1) / x^2` by `x^2`, for `|x| <= pi / 4`.", less_one(sine, -mpf(1) / 6), mpf(0), quarter, 3, "f32")
fit("COS_F32", "`(cos(x) - 1) / x^2` by `x^2`, for `|x| <= pi / 4`.", less_one(cosine, -mpf(1) / 2), mpf(0), quarter, 4, "f32")
fit("SIN", "`sin(x) / x` by `x^2`, for `|x| <= pi / 4`.", sine, mpf(0), quarter, 5)
fit("COS", "`cos(x)` by `x^2`, for `|x| <= pi / 4`.", cosine, mpf(0), quarter, 5)
bits = int(mp.floor(2 / mp.pi * mpf(2) ** 256))
print("/// The bits of `2 / pi` after the point.")
print("pub(super) const TWO_OVER_PI: [u64; 4] = [")
for i in range(4):
    print(f"    0x{bits >> (192 - 64 * i) & (1 << 64) - 1:016x},")
print("];")
