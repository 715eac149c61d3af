"""Systems of equations, decompositions and functions of matrices: dtypes, batches, zero sizes, NaN, errors.

If signs of vectors are arbitrary, the reconstructed matrix is recorded."""

import inspect

import numpy as np
from record import case, fed, tf, write

DTYPES = ["float32", "float64", "complex64", "complex128"]
NAN = float("nan")


def raw(op):
    function = getattr(tf.raw_ops, op)
    names = [p for p in inspect.signature(function).parameters]
    return lambda *inputs, **attrs: function(**dict(zip(names, inputs)), **attrs)


def numbers(*shape, dtype="float64", seed=0):
    random = np.random.RandomState(seed + len(shape))
    values = random.randint(-8, 9, shape) / 4.0
    if dtype.startswith("complex"):
        values = values + 1j * random.randint(-8, 9, shape) / 4.0
    return values.astype(dtype)


def square(n, dtype, batch=(2,), seed=0):
    return numbers(*batch, n, n, dtype=dtype, seed=seed) + np.eye(n) * 5


def positive(n, dtype, batch=(2,), seed=0):
    a = numbers(*batch, n, n, dtype=dtype, seed=seed)
    return (a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(n) * 2).astype(dtype)


def one(name, op, inputs, attrs=None, error=None, select=None, **options):
    def build(tf, v1):
        outputs = raw(op)(*[fed(np.asarray(v)) for v in inputs], **(attrs or {}))
        return select(outputs) if select else outputs

    case(name, build, error=error, **options)


def loose(dtype):
    return {"rtol": 1e-3, "atol": 1e-3} if dtype in ("float32", "complex64") else {"rtol": 1e-9, "atol": 1e-9}


def each(op, make, note="", attrs=None, dtypes=DTYPES, select=None):
    for d in dtypes:
        inputs = [np.asarray(v).astype(d) if np.ndim(v) else v for v in make(d)]
        one(f"{op}/{note}{d}", op, inputs, attrs, select=select, **loose(d))


for n in (1, 3):
    each("Cholesky", lambda d: [positive(n, d)], f"{n}/")
    for adjoint in (False, True):
        attrs = {"adjoint": adjoint}
        each("MatrixSolve", lambda d: [square(n, d), numbers(2, n, 2, dtype=d)], f"{n}/{adjoint}/", attrs)
        each("MatrixInverse", lambda d: [square(n, d)], f"{n}/{adjoint}/", attrs)
        for lower in (False, True):
            attrs = {"adjoint": adjoint, "lower": lower}
            each("MatrixTriangularSolve", lambda d: [square(n, d), numbers(2, n, 2, dtype=d)], f"{n}/{adjoint}{lower}/", attrs)
    each("MatrixDeterminant", lambda d: [square(n, d) / 4], f"{n}/")
    each("LogMatrixDeterminant", lambda d: [square(n, d)], f"{n}/")
    each("Lu", lambda d: [square(n, d)], f"{n}/")
    each("SelfAdjointEigV2", lambda d: [positive(n, d)], f"{n}/", {"compute_v": False}, select=lambda o: o[0])
# Large enough to be solved in blocks.
each("Cholesky", lambda d: [positive(70, d, ()) / 8], "70/", dtypes=["float32"])
for adjoint in (False, True):
    each("MatrixSolve", lambda d: [numbers(70, 70, dtype=d) / 4 + np.eye(70) * 3, numbers(70, 1, dtype=d)], f"70/{adjoint}/",
         {"adjoint": adjoint}, ["float32"])
for shape in [(4, 3), (3, 4), (2, 3, 3), (1, 1), (3, 1), (2, 0, 3), (2, 3, 0)]:
    for full in (False, True):
        note = f"{'x'.join(map(str, shape))}/{full}/"
        each("Qr", lambda d: [numbers(*shape, dtype=d)], note, {"full_matrices": full})
        rebuilt = lambda o: [o[0], tf.matmul(o[1][..., : min(shape[-2:])] * tf.expand_dims(o[0], -2),
                                             o[2][..., : min(shape[-2:])], adjoint_b=True), tf.matmul(o[1], o[1], adjoint_a=True)]
        each("Svd", lambda d: [numbers(*shape, dtype=d)], note, {"full_matrices": full}, select=rebuilt)
each("Svd", lambda d: [numbers(2, 4, 3, dtype=d)], "values/", {"compute_uv": False}, select=lambda o: o[0])
one("Svd/nan", "Svd", [[[NAN, 1.0], [1.0, 2.0]]])
one("Qr/nan", "Qr", [[[NAN, 1.0], [1.0, 2.0]]])
one("Qr/float16", "Qr", [numbers(3, 2).astype("float16")])
one("MatrixInverse/float16", "MatrixInverse", [square(3, "float16").astype("float16")], rtol=1e-2, atol=1e-2)
rebuilt = lambda o: [o[0], tf.matmul(o[1] * tf.expand_dims(o[0], -2), o[1], adjoint_b=True)]
each("SelfAdjointEigV2", lambda d: [positive(4, d)], "vectors/", select=rebuilt)
rebuilt = lambda o: [o[0], tf.matmul(o[1] * tf.expand_dims(o[0], -2), tf.linalg.inv(o[1]))]
each("Eig", lambda d: [square(4, d)], "single/", {"Tout": tf.complex64}, ["float32", "complex64"], rebuilt)
each("Eig", lambda d: [numbers(5, 5, dtype=d)], "double/", {"Tout": tf.complex128}, ["float64", "complex128"], rebuilt)
each("Eig", lambda d: [numbers(3, 6, 6, dtype=d, seed=3)], "values/", {"Tout": tf.complex128, "compute_v": False},
     ["float64", "complex128"], lambda o: o[0])
each("CholeskyGrad", lambda d: [np.linalg.cholesky(positive(3, d)), numbers(2, 3, 3, dtype=d)], dtypes=["float32", "float64"])
for adjoint in (False, True):
    for lower in (False, True):
        bands = lambda d: [numbers(2, 3, 5, dtype=d) + 5, numbers(2, 5, 2, dtype=d)]
        each("BandedTriangularSolve", bands, f"{adjoint}{lower}/", {"adjoint": adjoint, "lower": lower})
for pivoting in (False, True):
    diagonals = lambda d: [numbers(2, 3, 5, dtype=d) + (0 if pivoting else 7), numbers(2, 5, 2, dtype=d)]
    each("TridiagonalSolve", diagonals, f"{pivoting}/", {"partial_pivoting": pivoting})
one("TridiagonalSolve/singular", "TridiagonalSolve", [np.zeros((3, 3)), np.ones((3, 1))])
one("TridiagonalSolve/singular/complex", "TridiagonalSolve", [np.zeros((3, 3), np.complex64), np.ones((3, 1), np.complex64)])
one("TridiagonalSolve/perturbed", "TridiagonalSolve",
    [np.float32([[1, 9], [2, 0.5], [9, 1]]), np.ones((2, 1), np.float32)], {"perturb_singular": True})
rows = lambda d: [numbers(2, 1, 4, dtype=d, seed=i) for i in range(3)] + [numbers(2, 4, 3, dtype=d)]
each("TridiagonalMatMul", rows)
for shape in [(4, 2), (2, 4), (3, 3)]:
    for fast in (False, True):
        for weight in (0.0, 0.5):
            system = lambda d: [numbers(2, *shape, dtype=d) + np.eye(*shape), numbers(2, shape[0], 2, dtype=d), np.float64(weight)]
            each("MatrixSolveLs", system, f"{shape[0]}x{shape[1]}/{fast}{weight}/", {"fast": fast}, ["float64", "complex128"])
each("MatrixLogarithm", lambda d: [square(4, d)], dtypes=["complex64", "complex128"])
each("MatrixSquareRoot", lambda d: [square(4, d)])
one("MatrixSquareRoot/none", "MatrixSquareRoot", [[[-4.0, 1.0], [0.0, 9.0]]])
one("Cholesky/indefinite", "Cholesky", [[[[1.0, 0.0], [0.0, 1.0]], [[1.0, 2.0], [2.0, 1.0]]]],
    select=lambda o: tf.linalg.band_part(o, -1, 0))
one("Cholesky/indefinite/complex", "Cholesky", [np.complex128([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 2.0], [2.0, 1.0]]])],
    select=lambda o: tf.linalg.band_part(o, -1, 0))
# Numbers whose squares are infinite.
HUGE = np.complex64([[2e30 + 1e30j, 1, 2j], [1, 3 - 1j, 0.5], [-2j, 0.5, 4]])
for op in ("MatrixDeterminant", "LogMatrixDeterminant", "MatrixInverse"):
    one(f"{op}/huge", op, [HUGE], **loose("complex64"))
one("MatrixSolve/huge", "MatrixSolve", [HUGE, np.complex64([[1e30], [1], [2]])], **loose("complex64"))
one("MatrixTriangularSolve/huge", "MatrixTriangularSolve", [HUGE, np.complex64([[1e30], [1], [2]])], **loose("complex64"))
for value in (np.inf, np.nan):
    one(f"SelfAdjointEigV2/one/{value}", "SelfAdjointEigV2", [[[[value]], [[2.0]]]])
one("MatrixDeterminant/singular", "MatrixDeterminant", [[[1.0, 2.0], [2.0, 4.0]]])
one("LogMatrixDeterminant/singular", "LogMatrixDeterminant", [[[1.0, 2.0], [2.0, 4.0]]])
one("MatrixTriangularSolve/broadcast", "MatrixTriangularSolve", [np.eye(2) * np.ones((3, 1, 1)) * 2, np.ones((2, 1))])
one("MatrixTriangularSolve/singular", "MatrixTriangularSolve", [[[0.0, 0.0], [1.0, 1.0]], [[1.0], [2.0]]])

for op in ("Cholesky", "MatrixInverse", "MatrixDeterminant", "LogMatrixDeterminant", "Lu", "MatrixSquareRoot"):
    one(f"{op}/empty", op, [np.zeros((2, 0, 0))])
    one(f"{op}/not_square", op, [np.zeros((2, 3))], error="INVALID_ARGUMENT")
    one(f"{op}/vector", op, [np.zeros(2)], error="INVALID_ARGUMENT")
SINGULAR = [[1.0, 2.0], [2.0, 4.0]]
for name, op, inputs, attrs in [
    ("singular", "MatrixInverse", [SINGULAR], {}),
    ("nan", "MatrixInverse", [[[NAN, 2.0], [2.0, 4.0]]], {}),
    ("singular", "MatrixSolve", [SINGULAR, SINGULAR], {}),
    ("sizes", "MatrixSolve", [SINGULAR, np.zeros((3, 1))], {}),
    ("batches", "MatrixSolve", [np.zeros((3, 2, 2)), np.zeros((2, 2, 1))], {}),
    ("singular", "Lu", [SINGULAR], {}),
    ("nan", "SelfAdjointEigV2", [[[NAN, 2.0], [2.0, 1.0]]], {}),
    ("nan", "Eig", [[[NAN, 2.0], [2.0, 1.0]]], {"Tout": tf.complex128}),
    ("types", "Eig", [[[1.0, 2.0], [2.0, 1.0]]], {"Tout": tf.complex64}),
    ("batches", "MatrixTriangularSolve", [np.zeros((3, 2, 2)), np.zeros((2, 2, 1))], {}),
    ("sizes", "MatrixTriangularSolve", [np.zeros((2, 2)), np.zeros((3, 1))], {}),
    ("singular", "BandedTriangularSolve", [[[0.0, 2.0]], [[1.0], [1.0]]], {}),
    ("empty", "BandedTriangularSolve", [np.zeros((0, 3)), np.zeros((3, 1))], {}),
    ("no_right_side", "BandedTriangularSolve", [np.ones((1, 3)), np.zeros((3, 0))], {}),
    ("rows", "TridiagonalSolve", [np.zeros((2, 3)), np.zeros((3, 1))], {}),
    ("no_pivoting", "TridiagonalSolve", [np.zeros((3, 3)), np.zeros((3, 1))], {"perturb_singular": True, "partial_pivoting": False}),
    ("diagonal", "TridiagonalMatMul", [np.zeros((1, 2)), np.zeros((1, 3)), np.zeros((1, 3)), np.zeros((3, 1))], {}),
    ("singular", "MatrixSolveLs", [SINGULAR, np.zeros((2, 1)), np.float64(0)], {}),
    ("negative", "MatrixSolveLs", [SINGULAR, np.zeros((2, 1)), np.float64(-1)], {}),
    ("sizes", "CholeskyGrad", [np.zeros((2, 2)), np.zeros((3, 3))], {}),
]:
    one(f"{op}/{name}", op, inputs, attrs, error="INVALID_ARGUMENT")

write(__file__)
