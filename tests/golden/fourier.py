"""Fourier transforms: lengths, axes, batches, zero sizes, errors."""

import numpy as np
from record import case, fed, same, tf, write

COMPLEX = {"float32": "complex64", "float64": "complex128"}


def numbers(*shape, seed=0):
    random = np.random.RandomState(seed)
    return random.randint(-8, 9, shape) / 4.0 + 1j * random.randint(-8, 9, shape) / 4.0


def loose(dtype):
    return {"rtol": 1e-4, "atol": 1e-4} if dtype in ("float32", "complex64") else {"rtol": 1e-10, "atol": 1e-10}


def complex_case(name, op, value, dtype="complex128", **options):
    case(name, lambda tf, v1: getattr(tf.raw_ops, op)(input=fed(value, dtype)), **options)


def real_case(name, op, value, length, dtype="float64", **options):
    inverse = op.startswith("I")
    given = COMPLEX[dtype] if inverse else dtype
    other = {"Treal": getattr(tf, dtype)} if inverse else {"Tcomplex": getattr(tf, COMPLEX[dtype])}
    value = value if inverse else np.real(value)
    case(name, lambda tf, v1: getattr(tf.raw_ops, op)(input=fed(value, given), fft_length=fed(length, "int32"), **other),
         **options)


for op, axes in [("FFT", 1), ("IFFT", 1), ("FFT2D", 2), ("IFFT2D", 2), ("FFT3D", 3), ("IFFT3D", 3)]:
    for dtype in ("complex64", "complex128"):
        for shape in [(2, 3, 4, 5), (3, 1, 7), (1, 1, 1), (2, 0, 3), (3, 5, 0), (2, 2, 17)]:
            complex_case(f"{op}/{'x'.join(map(str, shape))}/{dtype}", op, numbers(*shape), dtype, **loose(dtype))
    complex_case(f"{op}/rank", op, numbers(*(2,) * (axes - 1)), error="INVALID_ARGUMENT")
for op, axes in [("RFFT", 1), ("RFFT2D", 2), ("RFFT3D", 3), ("IRFFT", 1), ("IRFFT2D", 2), ("IRFFT3D", 3)]:
    last = 3 if op.startswith("I") else 5
    for dtype in ("float32", "float64"):
        for length in (1, 2, 3, 4, 5):
            shape = (2, 5, 5, last) if axes < 3 else (5, 5, last)
            real_case(f"{op}/{length}/{dtype}", op, numbers(*shape), [length] * axes, dtype, **loose(dtype))
        real_case(f"{op}/no_batch/{dtype}", op, numbers(0, 5, 5, last), [2] * axes, dtype)
    real_case(f"{op}/short", op, numbers(2, 2, 2), [7] * axes, error="INVALID_ARGUMENT")
    real_case(f"{op}/negative", op, numbers(2, 2, 2), [-1] * axes, error="INVALID_ARGUMENT")
    real_case(f"{op}/lengths", op, numbers(2, 2, 2), [2] * (axes + 1), error="INVALID_ARGUMENT")
    real_case(f"{op}/rank", op, numbers(*(2,) * (axes - 1)), [2] * axes, error="INVALID_ARGUMENT")

# TensorFlow has no kernels for transforms along named axes here: the named axes are moved to the end, fitted, and transformed one by one.
def fitted(x, lengths, axes):
    for length, axis in zip(lengths, axes):
        taken = min(length, x.shape[axis])
        x = tf.gather(x, np.arange(taken), axis=axis)
        x = tf.pad(x, [[0, length - taken if i == axis else 0] for i in range(x.shape.rank)])
    return x


def along(op, x, axis, **attrs):
    last = [i for i in range(x.shape.rank) if i != axis] + [axis]
    return tf.transpose(getattr(tf.raw_ops, op)(input=tf.transpose(x, last), **attrs), np.argsort(last))


SIZES = [("all", [3, 4], [3, 4], [0, 1]), ("fitted", [5, 3, 4], [4, 6], [0, 2]), ("swapped", [3, 4, 5], [3, 5, 2], [2, 0, 1]), ("one", [2, 7], [5], [0]),
         ("negative", [2, 3, 4], [4, 2], [-1, -3]), ("odd", [4, 5], [3, 5], [0, 1]), ("single", [3, 4], [1, 1], [1, 0]), ("inner", [2, 6, 3], [6], [1])]
for label, shape, lengths, axes in SIZES:
    places = [axis % len(shape) for axis in axes]
    for dtype in ("float32", "float64"):
        kind = COMPLEX[dtype]
        options = loose(dtype)
        for op in ("FFT", "IFFT"):
            def theirs(x):
                x = fitted(x, lengths, places)
                for axis in places:
                    x = along(op, x, axis)
                return [x]
            same(f"{op}ND/{label}/{kind}", [numbers(*shape).astype(kind)],
                 lambda x: [getattr(tf.raw_ops, f"{op}ND")(input=x, fft_length=lengths, axes=axes)], theirs, **options)

        def real(x):
            x = along("RFFT", fitted(x, lengths, places), places[-1], fft_length=[lengths[-1]], Tcomplex=getattr(tf, kind))
            for axis in places[:-1]:
                x = along("FFT", x, axis)
            return [x]
        same(f"RFFTND/{label}/{dtype}", [np.real(numbers(*shape)).astype(dtype)],
             lambda x: [tf.raw_ops.RFFTND(input=x, fft_length=lengths, axes=axes, Tcomplex=getattr(tf, kind))], real, **options)

        def inverse(x):
            x = fitted(x, lengths[:-1] + [lengths[-1] // 2 + 1], places)
            for axis in places[:-1]:
                x = along("IFFT", x, axis)
            return [along("IRFFT", x, places[-1], fft_length=[lengths[-1]], Treal=getattr(tf, dtype))]
        same(f"IRFFTND/{label}/{dtype}", [numbers(*shape).astype(kind)],
             lambda x: [tf.raw_ops.IRFFTND(input=x, fft_length=lengths, axes=axes, Treal=getattr(tf, dtype))], inverse, **options)

write(__file__)
