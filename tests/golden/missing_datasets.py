"""Prints the ops of datasets and iterators that TensorFlow has and docs/ops.md does not list.

    python tests/golden/missing_datasets.py
"""

import os
import re
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from tensorflow.core.framework import op_def_pb2
from tensorflow.python.client import pywrap_tf_session

NAMES = re.compile("Dataset|Iterator|Optional|MapDefun|MemoryCache|SeedGenerator|StatsAggregator|ThreadPoolHandle|GetElementAtIndex|CompressElement|Snapshot")

found = op_def_pb2.OpList.FromString(pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList()))
there = set(re.findall(r"^\| (\w+) \|", (Path(__file__).parents[2] / "docs/ops.md").read_text(), re.M))
for op in sorted(op.name for op in found.op):
    if NAMES.search(op) and not op.startswith("_") and op not in there:
        print(op)
