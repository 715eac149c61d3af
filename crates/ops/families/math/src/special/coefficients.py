"""Writes coefficients.rs: Chebyshev series and quadrature rules, computed with mpmath (pip install mpmath).

A series over [a, b] is in t = (2 x - a - b) / (b - a) and is truncated at terms below 1e-18 of the first.
"""

import mpmath as mp

mp.mp.dps = 40
OUT = []


def chebyshev(f, a, b, n=60):
    a, b = mp.mpf(a), mp.mpf(b)
    nodes = [mp.cos(mp.pi * (k + mp.mpf(1) / 2) / n) for k in range(n)]
    values = [f((a + b) / 2 + (b - a) / 2 * t) for t in nodes]
    series = [2 * mp.fsum(v * mp.cos(j * mp.pi * (k + mp.mpf(1) / 2) / n) for k, v in enumerate(values)) / n for j in range(n)]
    series[0] /= 2
    while abs(series[-1]) < abs(series[0]) * mp.mpf(10) ** -18:
        series.pop()
    return series


def number(x):
    text = mp.nstr(x, 20, min_fixed=1, max_fixed=0)
    value = repr(float(text))
    if "e" in value:
        mantissa, exponent = value.split("e")
        value = (mantissa if "." in mantissa else mantissa + ".0") + "e" + str(int(exponent))
    sign = "-" if value.startswith("-") else ""
    mantissa, e, exponent = value.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    groups = "_".join(fraction[i : i + 3] for i in range(0, len(fraction), 3))
    return f"{sign}{whole}.{groups}{e}{exponent}"


def emit(name, doc, values):
    OUT.append(f"/// {doc}\npub(super) const {name}: [f64; {len(values)}] = [")
    OUT.extend(f"    {number(v)}," for v in values)
    OUT.append("];\n")


emit("I0E_SMALL", "`exp(-x) I0(x)` over `x` in [0, 8].", chebyshev(lambda x: mp.exp(-x) * mp.besseli(0, x), 0, 8))
emit("I0E_LARGE", "`sqrt(x) exp(-x) I0(x)` over `8 / x` in [0, 1].",
     chebyshev(lambda t: mp.sqrt(8 / t) * mp.exp(-8 / t) * mp.besseli(0, 8 / t), 0, 1))
emit("I1E_SMALL", "`exp(-x) I1(x) / x` over `x` in [0, 8].",
     chebyshev(lambda x: mp.exp(-x) * (mp.besseli(1, x) / x if x else mp.mpf(1) / 2), 0, 8))
emit("I1E_LARGE", "`sqrt(x) exp(-x) I1(x)` over `8 / x` in [0, 1].",
     chebyshev(lambda t: mp.sqrt(8 / t) * mp.exp(-8 / t) * mp.besseli(1, 8 / t), 0, 1))
emit("K0_SMALL", "`K0(x) + log(x / 2) I0(x)` over `x^2` in [0, 4].",
     chebyshev(lambda s: mp.besselk(0, mp.sqrt(s)) + mp.log(mp.sqrt(s) / 2) * mp.besseli(0, mp.sqrt(s)), 0, 4))
emit("K1_SMALL", "`x (K1(x) - log(x / 2) I1(x))` over `x^2` in [0, 4].",
     chebyshev(lambda s: mp.sqrt(s) * (mp.besselk(1, mp.sqrt(s)) - mp.log(mp.sqrt(s) / 2) * mp.besseli(1, mp.sqrt(s))), 0, 4))
emit("K0E_LARGE", "`sqrt(x) exp(x) K0(x)` over `2 / x` in [0, 1].",
     chebyshev(lambda t: mp.sqrt(2 / t) * mp.exp(2 / t) * mp.besselk(0, 2 / t), 0, 1))
emit("K1E_LARGE", "`sqrt(x) exp(x) K1(x)` over `2 / x` in [0, 1].",
     chebyshev(lambda t: mp.sqrt(2 / t) * mp.exp(2 / t) * mp.besselk(1, 2 / t), 0, 1))


def fresnel_f(x):
    s, c, t = mp.fresnels(x), mp.fresnelc(x), mp.pi * x * x / 2
    return (mp.mpf(1) / 2 - s) * mp.cos(t) - (mp.mpf(1) / 2 - c) * mp.sin(t)


def fresnel_g(x):
    s, c, t = mp.fresnels(x), mp.fresnelc(x), mp.pi * x * x / 2
    return (mp.mpf(1) / 2 - c) * mp.cos(t) + (mp.mpf(1) / 2 - s) * mp.sin(t)


mp.mp.dps = 60


def auxiliaries(name, doc, start, low):
    of = lambda t: mp.mpf(start) / t ** mp.mpf("0.25")
    emit(f"FRESNEL_F_{name}", f"The auxiliary `pi x f(x)` over {doc}.",
         chebyshev(lambda t: mp.pi * of(t) * fresnel_f(of(t)), low, 1))
    emit(f"FRESNEL_G_{name}", f"The auxiliary `pi^2 x^3 g(x)` over {doc}.",
         chebyshev(lambda t: mp.pi**2 * of(t) ** 3 * fresnel_g(of(t)), low, 1))


auxiliaries("NEAR", "`(1.5 / x)^4` in [1/16, 1]", "1.5", mp.mpf(1) / 16)
auxiliaries("FAR", "`(3 / x)^4` in [0, 1]", "3", 0)

n = 32
nodes = sorted(mp.findroot(lambda x: mp.legendre(n, x), mp.cos(mp.pi * (k + mp.mpf(3) / 4) / (n + mp.mpf(1) / 2))) for k in range(n // 2))
weights = [2 / ((1 - x * x) * mp.diff(lambda y: mp.legendre(n, y), x) ** 2) for x in nodes]
emit("GAUSS_NODES", "The positive nodes of the Gauss-Legendre rule with 32 points on [-1, 1].", nodes)
emit("GAUSS_WEIGHTS", "The corresponding weights.", weights)

with open("coefficients.rs", "w") as file:
    file.write("//! Written by `coefficients.py`.\n\n" + "\n".join(OUT).rstrip() + "\n")
