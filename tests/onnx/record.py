"""Writes the test cases of the `onnx` package as files, and packs a sample of them.

    python tests/onnx/record.py DIR          every case: DIR/NAME/model.onnx, DIR/NAME/0/input_0.pb ..., DIR/NAME/tolerance
    python tests/onnx/record.py --sample     tests/onnx/sample.bin.gz

The cases are those of onnx.backend.test (onnx 1.23, Apache License 2.0): its node tests, whose expected values its authors
computed with numpy, and its model tests, which PyTorch wrote. Those of models.py beside this file have values that onnxruntime
computes. The packed file is a gzip of entries: the length of a path and the path,
the length of the contents and the contents, with lengths as little-endian uint32.
"""

import glob
import gzip
import os
import struct
import sys

import models
import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases
from onnx.backend.test.case.model import collect_testcases as collect_models


def written(value, info):
    """A value of a data set as the message of its type."""
    kind = info.type.WhichOneof("value")
    if isinstance(value, onnx.TensorProto):
        return value.SerializeToString()
    if kind == "sequence_type":
        return numpy_helper.from_list(value, info.name).SerializeToString()
    if kind == "optional_type":
        return numpy_helper.from_optional(value, info.name).SerializeToString()
    array = np.asarray(value)
    tensor = numpy_helper.from_array(array, info.name)
    return tensor.SerializeToString()


def cases():
    """Every case: its name and its files."""
    for case in list(collect_testcases(None)) + list(collect_models()):
        if case.model is None or case.data_sets is None:
            continue
        # Where transforms should be zero, numpy's values are not.
        atol = 1e-6 if case.name.startswith("test_dft") else case.atol
        files = {"model.onnx": case.model.SerializeToString(), "tolerance": f"{case.rtol} {atol}".encode()}
        graph = case.model.graph
        for i, (inputs, outputs) in enumerate(case.data_sets):
            for j, (value, info) in enumerate(zip(inputs, graph.input)):
                files[f"{i}/input_{j}.pb"] = written(value, info)
            for j, (value, info) in enumerate(zip(outputs, graph.output)):
                files[f"{i}/output_{j}.pb"] = written(value, info)
        yield case.name, files
    data = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data")
    for model in sorted(glob.glob(f"{data}/*/test_*/model.onnx")):
        folder = os.path.dirname(model)
        files = {"model.onnx": open(model, "rb").read(), "tolerance": b"1e-3 1e-7"}
        for path in glob.glob(f"{folder}/test_data_set_*/*.pb"):
            number = os.path.basename(os.path.dirname(path)).rsplit("_", 1)[1]
            files[f"{number}/{os.path.basename(path)}"] = open(path, "rb").read()
        yield f"{os.path.basename(os.path.dirname(folder))}/{os.path.basename(folder)}", files
    # Architectures with constant weights; their inputs are those of onnx's own runner.
    for model in sorted(glob.glob(f"{data}/light/*.onnx")):
        contents = open(model, "rb").read()
        graph = onnx.load_from_string(contents).graph
        (info,) = [i for i in graph.input if i.name not in {t.name for t in graph.initializer}]
        shape = tuple(d.dim_value or 1 for d in info.type.tensor_type.shape.dim)
        n = np.prod(shape)
        image = (np.arange(n).reshape(shape) / n).astype(np.float32)
        expected = open(model.replace(".onnx", "_output_0.pb"), "rb").read()
        files = {"model.onnx": contents, "tolerance": b"1e-3 1e-6", "0/output_0.pb": expected}
        files["0/input_0.pb"] = numpy_helper.from_array(image, info.name).SerializeToString()
        yield f"light/{os.path.basename(model)[:-5]}", files
    for name, model, feeds, outputs in models.cases():
        files = {"model.onnx": model.SerializeToString(), "tolerance": b"1e-4 1e-5"}
        for i, (info, value) in enumerate(zip(model.graph.input, feeds)):
            files[f"0/input_{i}.pb"] = written(value, info)
        for i, (info, value) in enumerate(zip(model.graph.output, outputs)):
            files[f"0/output_{i}.pb"] = written(value, info)
        yield f"own/{name}", files


def sample(name, files, seen):
    """True for the small cases, at most two of each operator."""
    size = sum(len(data) for data in files.values())
    model = onnx.load_from_string(files["model.onnx"])
    operators = {node.op_type for node in model.graph.node}
    if size > 12_000 or not operators or name.startswith("test_ai_onnx_ml") and size > 6_000:
        return False
    key = (tuple(sorted(operators)), name.split("/")[0] if "/" in name else "")
    seen[key] = seen.get(key, 0) + 1
    return seen[key] <= 2 and len(operators) <= 12


def main():
    if sys.argv[1:] == ["--sample"]:
        seen, chosen = {}, {}
        for name, files in cases():
            if sample(name, files, seen):
                chosen.update({f"{name}/{path}": data for path, data in files.items()})
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sample.bin.gz")
        with gzip.GzipFile(path, "wb", mtime=0) as out:
            for entry, data in sorted(chosen.items()):
                for part in (entry.encode(), data):
                    out.write(struct.pack("<I", len(part)) + part)
        return
    for name, files in cases():
        for path, data in files.items():
            path = os.path.join(sys.argv[1], name, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(data)


main()
