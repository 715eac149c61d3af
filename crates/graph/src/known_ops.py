"""Writes known_ops.txt: the names of the ops in TensorFlow's public op registry, with `!` after stateful ones."""

import pathlib

from tensorflow.core.framework import op_def_pb2
from tensorflow.python.client import pywrap_tf_session

ops = op_def_pb2.OpList()
buffer = pywrap_tf_session.TF_GetAllOpList()
ops.ParseFromString(pywrap_tf_session.TF_GetBuffer(buffer))
names = sorted(op.name + ("!" if op.is_stateful else "") for op in ops.op)
pathlib.Path(__file__).with_suffix(".txt").write_text("\n".join(names) + "\n")
