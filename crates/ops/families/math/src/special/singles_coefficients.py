"""Writes singles_coefficients.rs: the polynomials of singles.rs, fitted at Chebyshev nodes with mpmath (pip install mpmath).

Each polynomial is in the position within its interval, mapped to [-1, 1]. Its error is printed to standard error.
"""

import sys

import mpmath as mp

mp.mp.dps = 60
OUT = []


def number(x):
    value = repr(float(x))
    sign = "-" if value.startswith("-") else ""
    mantissa, e, exponent = value.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    groups = "_".join(fraction[i : i + 3] for i in range(0, len(fraction), 3)) or "0"
    return f"{sign}{whole}.{groups}{e}{int(exponent) if e else ''}"


def fit(name, doc, of, low, high, degree):
    count = degree + 1
    middle, half = (mp.mpf(low) + mp.mpf(high)) / 2, (mp.mpf(high) - mp.mpf(low)) / 2
    nodes = [mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    powers = mp.matrix([[t**j for j in range(count)] for t in nodes])
    found = [mp.mpf(float(c)) for c in mp.lu_solve(powers, mp.matrix([of(middle + half * t) for t in nodes]))]
    positions = [mp.mpf(i) / 100 for i in range(-99, 100)]
    error = max(abs(mp.polyval(found[::-1], t) / of(middle + half * t) - 1) for t in positions)
    print(name, mp.nstr(error, 3), file=sys.stderr)
    OUT.append(f"/// {doc} in [{low}, {high}].\npub(super) const {name}: [f64; {count}] = [")
    OUT.extend(f"    {number(c)}," for c in found)
    OUT.append("];\n")


def inverse_erf(w):
    """`erfinv(y) / y` as a function of `w = -log(1 - y^2)`, by Halley's iteration on the complement."""
    y, rest = mp.sqrt(-mp.expm1(-w)), mp.exp(-w) / (1 + mp.sqrt(-mp.expm1(-w)))
    if w < 2:
        return mp.erfinv(y) / y
    x = mp.sqrt(w) * mp.mpf("0.9")
    for _ in range(40):
        error = (mp.erfc(x) - rest) * mp.sqrt(mp.pi) / 2 * mp.exp(x * x)
        x += error / (1 - x * error)
    return x / y


for n in (0, 1):
    over = "" if n == 0 else " / x"
    i = lambda x, n=n: mp.besseli(n, x) / x**n
    k = lambda x, n=n: mp.besselk(n, x) * x**n
    log = lambda x, n=n: (-1) ** n * mp.log(x / 2) * mp.besseli(n, x) * x**n
    fit(f"I{n}E_NEAR", f"`exp(-x) I{n}(x){over}` over `x`", lambda x: mp.exp(-x) * i(x), 0, 8, 19)
    fit(f"I{n}E_FAR", f"`sqrt(x) exp(-x) I{n}(x)` over `8 / x`",
        lambda t: mp.sqrt(8 / t) * mp.exp(-8 / t) * mp.besseli(n, 8 / t), 0, 1, 7)
    fit(f"I{n}_LEAST", f"`I{n}(x){over}` over `x^2`", lambda s: i(mp.sqrt(s)), 0, 4, 6)
    fit(f"K{n}_NEAR", "`K0(x) + log(x / 2) I0(x)` over `x^2`" if n == 0 else "`x (K1(x) - log(x / 2) I1(x))` over `x^2`",
        lambda s: k(mp.sqrt(s)) + log(mp.sqrt(s)), 0, 4, 7)
    fit(f"K{n}E_FAR", f"`sqrt(x) exp(x) K{n}(x)` over `2 / x`",
        lambda t: mp.sqrt(2 / t) * mp.exp(2 / t) * mp.besselk(n, 2 / t), 0, 1, 12)
fit("ERFINV_NEAR", "`erfinv(y) / y` over `w = -log(1 - y^2)`", inverse_erf, 0, 6, 12)
fit("ERFINV_FAR", "`erfinv(y) / y` over the root of `w`", lambda s: inverse_erf(s * s), 2.4, 4.1, 11)
fit("NDTRI_FAR", "`erfinv(y) / y` over the root of `w`", lambda s: inverse_erf(s * s), 4, 10.3, 12)
fit("LGAMMA_NEAR", "`lgamma(x) / ((x - 1) (x - 2))` over `x`", lambda x: mp.loggamma(x) / ((x - 1) * (x - 2)), "0.9", "2.1", 13)

with open("singles_coefficients.rs", "w") as file:
    file.write("//! Written by `singles_coefficients.py`.\n\n" + "\n".join(OUT).rstrip() + "\n")
