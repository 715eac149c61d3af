"""Writes sobol.bin beside this file: the initial direction numbers of TensorFlow's Sobol sequences.

    pip install tensorflow-cpu
    python crates/ops/families/random/src/sobol.py

The numbers are those of Joe and Kuo, "Constructing Sobol sequences with better two-dimensional projections" (2008), for 21,200
dimensions, recovered from the sequences themselves. Every dimension after the first has a primitive polynomial over the
integers modulo 2, ordered by degree and value, and `s` odd numbers `m`, where `s` is its degree; number `i` is less than
`2^i`. The file is a bit stream, starting at the lowest bit of the first byte: for each dimension the `s - 1` middle
coefficients of the polynomial, lowest first, then each `m` without its lowest bit, which is 1.
"""

import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

DIMS = 21200
DEGREES = 18


def directions():
    """Returns the numbers `m` of every dimension, more than any polynomial's degree. Point `2^k - 1` reveals number `k`."""
    rows = [tf.raw_ops.SobolSample(dim=DIMS, num_results=1, skip=2**k - 2, dtype=tf.float64).numpy()[0] * 2.0**k
            for k in range(1, 29)]
    return np.array(rows).astype(np.int64).T


def power(exponent, polynomial, degree):
    """Returns x to a power, modulo a polynomial."""
    def product(a, b):
        out = 0
        while b:
            out ^= a * (b & 1)
            b >>= 1
            a <<= 1
            a ^= polynomial * (a >> degree & 1)
        return out
    out, base = 1, 2 ^ polynomial * (2 >> degree & 1)
    while exponent:
        out = product(out, base) if exponent & 1 else out
        base = product(base, base)
        exponent >>= 1
    return out


def primitive(degree):
    order = 2**degree - 1
    factors = [p for p in range(2, order + 1) if order % p == 0 and all(p % q for q in range(2, int(p**0.5) + 1))]
    for candidate in range(2**degree + 1, 2**(degree + 1), 2):
        if power(order, candidate, degree) == 1 and all(power(order // p, candidate, degree) != 1 for p in factors if p < order):
            yield candidate


def follows(m, polynomial, degree):
    """Returns whether the later numbers of a dimension follow from the initial ones."""
    for k in range(degree, len(m)):
        value = m[k - degree] ^ m[k - degree] << degree
        for i in range(1, degree):
            value ^= (m[k - i] << i) * (polynomial >> (degree - i) & 1)
        if value != m[k]:
            return False
    return True


numbers = directions()
bits, dim = [], 1
for degree in range(1, DEGREES + 1):
    for polynomial in primitive(degree):
        if dim == DIMS:
            break
        m = [int(v) for v in numbers[dim]]
        assert follows(m, polynomial, degree), dim
        bits += [polynomial >> i & 1 for i in range(1, degree)]
        for i in range(degree):
            assert m[i] & 1 and m[i] < 2**(i + 1)
            bits += [m[i] >> j & 1 for j in range(1, i + 1)]
        dim += 1
assert dim == DIMS
Path(__file__).with_suffix(".bin").write_bytes(np.packbits(bits, bitorder="little").tobytes())
