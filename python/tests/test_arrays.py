"""Arrays in and out."""

from __future__ import annotations

import array

import ml_dtypes
import numpy as np
import pytest
from conftest import graph, placeholder

import levada

DTYPES = "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128".split()
DTYPES.append(ml_dtypes.bfloat16)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(), (1,), (0,), (2, 3), (3, 0, 2), (40, 50, 7)], ids=str)
def test_every_dtype_goes_in_and_comes_out(echo, dtype, shape):
    dtype = np.dtype(dtype)
    x = (np.arange(np.prod(shape, dtype=int)) % 2).reshape(shape).astype(dtype)
    session = echo(dtype.name)
    for value in (x, np.array(x, order="F"), x.tolist()):
        if isinstance(value, list) and (dtype == ml_dtypes.bfloat16 or not x.size):
            # A list carries less information than the array.
            continue
        y = session.run("y", {"x": value})
        assert y.dtype == dtype and y.shape == x.shape
        np.testing.assert_array_equal(np.asarray(y), x)
    assert isinstance(session.run("y", {"x": x}), np.ndarray) == (shape != ())


def test_layouts_that_do_not_fit_are_copied(echo):
    session = echo("float32")
    base = np.arange(4096 * 8, dtype=np.float32).reshape(4096, 8)
    for x in (base.T, base[::2], base[:, 1:], base[::-1], base.astype(">f4"), base.astype(np.float64), base[1:]):
        np.testing.assert_array_equal(session.run("y", {"x": x}), x)
    unaligned = np.zeros(4 * 10_000 + 1, np.uint8)[1:].view(np.float32)
    unaligned[:] = 7
    np.testing.assert_array_equal(session.run("y", {"x": unaligned}), unaligned)
    locked = base.copy()
    locked.flags.writeable = False
    np.testing.assert_array_equal(session.run("y", {"x": locked}), locked)


def test_what_is_fetched_belongs_to_the_program(echo):
    session = echo("float32")
    x = np.ones(100_000, np.float32)
    y = session.run("y", {"x": x})
    assert y.flags.writeable and not np.shares_memory(x, y)
    y += 1
    assert x[0] == 1 and session.run("y", {"x": x})[0] == 1


def test_what_a_graph_keeps_does_not_change_with_the_array():
    g = graph(
        placeholder("x"),
        ("v", "VariableV2", [], {"dtype": "float32", "shape": [50_000]}),
        ("set", "Assign", ["v", "x"]),
        ("queue", "FIFOQueueV2", [], {"component_types": ["float32"]}),
        ("put", "QueueEnqueueV2", ["queue", "x"]),
        ("take", "QueueDequeueV2", ["queue"], {"component_types": ["float32"]}),
    )
    with levada.Session(g) as session:
        x = np.ones(50_000, np.float32)
        session.run(["set", "put"], {"x": x})
        x[:] = 2
        assert (session.run("v") == 1).all()
        read = session.run("v")
        read[:] = 3
        assert (session.run("v") == 1).all()
        assert (session.run("take") == 1).all()


def test_an_array_is_shared_where_nothing_keeps_it():
    g = graph(placeholder("x"), ("y", "Sum", ["x", "axes"]), ("axes", "Const", [], {"value": [0]}))
    with levada.Session(g) as session:
        # More memory than can be copied: the pages of the array are not touched otherwise.
        x = np.broadcast_to(np.float32(1), (1000, 1000))
        assert session.run("y", {"x": x}).sum() == 1_000_000


def test_strings(echo):
    session = echo("string")
    assert session.run("y", {"x": "grün"}) == "grün".encode()
    assert session.run("y", {"x": b"\x00\xff\x00"}) == b"\x00\xff\x00"
    for value in (["a", b"bc"], np.array(["a", "bc"]), np.array([b"a", b"bc"]), np.array(["a", b"bc"], object)):
        y = session.run("y", {"x": value})
        assert y.dtype == object and y.tolist() == [b"a", b"bc"]
    assert session.run("y", {"x": [["a"], ["b"]]}).shape == (2, 1)
    assert session.run("y", {"x": np.empty((0, 3), object)}).shape == (0, 3)
    with pytest.raises(TypeError, match="expected str or bytes, found int"):
        session.run("y", {"x": [1]})


def test_numbers_that_do_not_fit_are_errors(echo):
    with pytest.raises(OverflowError):
        echo("int8").run("y", {"x": 300})
    with pytest.raises(OverflowError):
        echo("uint32").run("y", {"x": -1})
    with pytest.raises(ValueError):
        echo("float32").run("y", {"x": "word"})
    assert echo("float32").run("y", {"x": 2}) == 2
    assert echo("int32").run("y", {"x": np.int64(2)}) == 2
    assert echo("bool").run("y", {"x": True}).dtype == bool


def test_the_buffer_protocol_and_dlpack_go_in_and_out(echo):
    session = echo("float32")
    values = array.array("f", range(10_000))
    np.testing.assert_array_equal(session.run("y", {"x": values}), values)
    np.testing.assert_array_equal(session.run("y", {"x": memoryview(values)}), values)

    class Exporter:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    y = session.run("y", {"x": Exporter(np.asarray(values))})
    np.testing.assert_array_equal(y, values)
    assert memoryview(y).nbytes == 40_000
    np.testing.assert_array_equal(np.from_dlpack(y), values)


def test_tensors_stay_tensors_on_the_way():
    tensor = levada.Tensor([1, 2, 3], "int16")
    assert (tensor.dtype, tensor.shape) == ("int16", (3,))
    assert np.asarray(tensor).dtype == np.int16
    g = graph(
        placeholder("x", "int16"),
        ("y", "Identity", ["x"]),
        ("v", "VarHandleOp", [], {"dtype": "float32", "shape": [2], "shared_name": "v"}),
        ("value", "Placeholder", [], {"dtype": "float32"}),
        ("assign", "AssignVariableOp", ["v", "value"]),
    )
    with levada.Session(g) as session:
        assert session.run("y", {"x": tensor}).tolist() == [1, 2, 3]
        handle = session.run("v")
        assert isinstance(handle, levada.Tensor) and handle.dtype == "resource"


def test_quantized_arrays_are_records_or_plain(echo):
    session = echo("qint8")
    y = session.run("y", {"x": np.array([1, -2], np.int8)})
    assert y.dtype == np.dtype([("qint8", np.int8)])
    assert session.run("y", {"x": y})["qint8"].tolist() == [1, -2]
