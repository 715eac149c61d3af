"""Writes reference.rs: reference values of the special functions, computed with mpmath (pip install mpmath)."""

import mpmath as mp

mp.mp.dps = 60


def i_e(n):
    return lambda x: mp.exp(-abs(x)) * mp.besseli(n, x)


def spence(x):
    return mp.re(mp.polylog(2, 1 - x))


def dawson(x):
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def lower(a, x):
    return mp.gammainc(a, 0, x, regularized=True)


def upper(a, x):
    return mp.gammainc(a, x, mp.inf, regularized=True)


def grad_a(a, x):
    return mp.diff(lambda b: lower(b, x), a)


POSITIVE = [1e-10, 0.01, 0.3, 0.9, 1.0, 1.4, 1.99, 2.01, 3.7, 6.5, 7.99, 8.01, 12.5, 30.0, 100.0, 650.0]
BOTH = [-20.0, -8.5, -3.3, -1.7, -0.4] + POSITIVE
ONE = [
    ("i0e", "bessel::i0e", 1e-15, i_e(0), BOTH),
    ("i1e", "bessel::i1e", 1e-15, i_e(1), BOTH),
    ("i0", "bessel::i0", 1e-13, lambda x: mp.besseli(0, x), BOTH),
    ("i1", "bessel::i1", 1e-13, lambda x: mp.besseli(1, x), BOTH),
    ("k0", "bessel::k0", 1e-13, lambda x: mp.besselk(0, x), POSITIVE),
    ("k1", "bessel::k1", 1e-13, lambda x: mp.besselk(1, x), POSITIVE),
    ("k0e", "bessel::k0e", 1e-14, lambda x: mp.exp(x) * mp.besselk(0, x), POSITIVE),
    ("k1e", "bessel::k1e", 1e-14, lambda x: mp.exp(x) * mp.besselk(1, x), POSITIVE),
    ("j0", "bessel::j0", 1e-12, lambda x: mp.besselj(0, x), BOTH),
    ("j1", "bessel::j1", 1e-12, lambda x: mp.besselj(1, x), BOTH),
    ("y0", "bessel::y0", 1e-12, lambda x: mp.bessely(0, x), POSITIVE),
    ("y1", "bessel::y1", 1e-12, lambda x: mp.bessely(1, x), POSITIVE),
    ("erfinv", "error_function::erfinv", 4e-15, mp.erfinv,
     [-0.999999, -0.9, -0.501, -0.499, -0.2, -1e-12, 1e-300, 1e-5, 0.1, 0.45, 0.55, 0.75, 0.99, 0.9999999999]),
    ("ndtri", "error_function::ndtri", 4e-15, lambda p: mp.findroot(
        lambda x: mp.erfc(-x / mp.sqrt(2)) / (2 * p) - 1, -mp.sqrt(2) * mp.erfinv(1 - 2 * mp.mpf(p)) if p > 1e-30 else -mp.sqrt(-2 * mp.log(p))),
     [1e-100, 1e-20, 1e-5, 0.01, 0.2, 0.2499, 0.2501, 0.4, 0.4999, 0.6, 0.7499, 0.7501, 0.9, 0.999]),
    ("lgamma", "gamma::lgamma", 1e-14, lambda x: mp.log(abs(mp.gamma(x))), [-9.5, -3.2, -0.5] + POSITIVE[:-6] + [30.0, 1e5]),
    ("digamma", "gamma::digamma", 1e-13, mp.digamma, [-20.3, -3.7, -0.2] + POSITIVE + [1e8]),
    ("dawson", "integrals::dawson", 1e-15, dawson, [-5.0, -0.7] + [x for x in POSITIVE if x < 50] + [0.29, 0.31, 19.9, 20.1, 1e5]),
    ("expint", "integrals::expint", 1e-14, mp.ei, [1e-10, 0.01, 0.2, 0.5, 1.0, 5.0, 20.0, 39.9, 40.1, 100.0, 700.0]),
    ("fresnel_sin", "integrals::fresnel_sin", 2e-15, mp.fresnels, BOTH[1:] + [1.499, 1.501, 2.99, 3.01, 1e4]),
    ("fresnel_cos", "integrals::fresnel_cos", 2e-15, mp.fresnelc, BOTH[1:] + [1.499, 1.501, 2.99, 3.01, 1e4]),
    ("spence", "integrals::spence", 2e-15, spence, [1e-10, 0.1, 0.49, 0.51, 0.9, 0.999999, 1.000001, 1.2, 1.99, 2.01, 5.0, 1e6]),
]
PAIRS = [(0.1, 0.001), (0.1, 0.5), (0.1, 3.0), (0.5, 0.2), (0.5, 10.0), (1.0, 1.0), (2.5, 0.1), (2.5, 3.4), (2.5, 20.0), (9.9, 5.0),
         (10.1, 5.0), (10.1, 30.0), (50.0, 40.0), (50.0, 52.0), (300.0, 250.0), (300.0, 310.0), (300.0, 400.0)]
MANY = [(5000.0, 4950.0), (5000.0, 5100.0), (20000.0, 19800.0), (20000.0, 20000.0), (20000.0, 20300.0), (20000.0, 21000.0)]
TWO = [
    ("igamma", "incomplete_gamma::igamma", 1e-12, lower, PAIRS + MANY),
    ("igammac", "incomplete_gamma::igammac", 1e-12, upper, PAIRS[1:] + MANY),
    ("igamma_grad_a", "incomplete_gamma::igamma_grad_a", 1e-10, grad_a, PAIRS + [(20000.0, 19900.0), (20000.0, 20100.0)]),
    ("zeta", "zeta::zeta", 3e-15, mp.zeta, [(1.1, 0.3), (2.0, 1.0), (2.0, 0.1), (3.5, 7.0), (4.0, 100.0), (20.0, 1.5), (50.0, 2.0), (1.001, 5.0)]),
    ("zeta below 0", "zeta::zeta", 1e-13, lambda x, q: mp.zeta(x, q + 30) + mp.fsum((mp.mpf(q) + k) ** -int(x) for k in range(30)),
     [(2.0, -1.5), (3.0, -0.5), (3.0, -2.25), (4.0, -20.75)]),
    ("polygamma", "zeta::polygamma", 1e-13, lambda n, x: mp.polygamma(int(n), x),
     [(0.0, 2.5), (1.0, 0.3), (1.0, 1.0), (2.0, 3.3), (3.0, 0.7), (7.0, 12.0), (160.0, 5.0)]),
]
BETAINC = [(0.5, 0.5, 0.3), (1.0, 3.0, 0.2), (2.0, 0.1, 0.99), (5.0, 7.0, 0.4), (5.0, 7.0, 0.9), (30.0, 20.0, 0.6), (30.0, 20.0, 0.3),
           (300.0, 200.0, 0.61), (300.0, 200.0, 0.55), (3000.0, 5000.0, 0.38), (1e-3, 2.0, 0.5)]


def f(x):
    text = repr(float(mp.nstr(x, 20) if isinstance(x, mp.mpf) else x))
    mantissa, e, exponent = text.partition("e")
    return (mantissa if "." in mantissa else mantissa + ".0") + (e + str(int(exponent)) if e else "")


with open("reference.rs", "w") as file:
    file.write("// Written by `reference.py`.\n\n#[rustfmt::skip]\ntype One = (&'static str, fn(f64) -> f64, f64, &'static [(f64, f64)]);\n")
    file.write("#[rustfmt::skip]\n#[allow(clippy::excessive_precision, clippy::approx_constant)]\nconst ONE: &[One] = &[\n")
    for name, path, tolerance, exact, cases in ONE:
        rows = ", ".join(f"({f(x)}, {f(mp.mpf(exact(mp.mpf(x))))})" for x in cases)
        file.write(f'    ("{name}", {path}, {tolerance!r}, &[{rows}]),\n'.replace("1e-", "1e-"))
    file.write("];\n\n#[rustfmt::skip]\ntype Two = (&'static str, fn(f64, f64) -> f64, f64, &'static [(f64, f64, f64)]);\n")
    file.write("#[rustfmt::skip]\n#[allow(clippy::excessive_precision, clippy::approx_constant)]\nconst TWO: &[Two] = &[\n")
    for name, path, tolerance, exact, cases in TWO:
        rows = ", ".join(f"({f(a)}, {f(x)}, {f(mp.mpf(exact(mp.mpf(a), mp.mpf(x))))})" for a, x in cases)
        file.write(f'    ("{name}", {path}, {tolerance!r}, &[{rows}]),\n')
    file.write("];\n\n#[rustfmt::skip]\nconst BETAINC: &[(f64, f64, f64, f64)] = &[\n")
    for a, b, x in BETAINC:
        file.write(f"    ({f(a)}, {f(b)}, {f(x)}, {f(mp.betainc(a, b, 0, mp.mpf(x), regularized=True))}),\n")
    file.write("];\n")
