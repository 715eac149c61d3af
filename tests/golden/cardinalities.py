"""The number of elements of datasets, by how much work may be done to find out."""

from record import case, step, write

import tensorflow as tf
from tensorflow.core.framework.dataset_options_pb2 import CardinalityOptions

Data = tf.data.Dataset

COUNTED = {
    "flat": lambda: Data.range(4).flat_map(Data.range),
    "batch": lambda: Data.range(4).flat_map(Data.range).batch(4),
    "skip": lambda: Data.range(5).flat_map(Data.range).skip(3).repeat(2),
    "zip": lambda: Data.zip((Data.range(100), Data.range(4).flat_map(Data.range))),
    "windows": lambda: Data.range(5).window(2).flat_map(lambda d: d.batch(2)),
    "infinite": lambda: Data.range(4).flat_map(lambda x: Data.range(3).repeat()),
    "unknown": lambda: Data.range(4).flat_map(lambda x: Data.range(3).filter(lambda y: y > 0)),
    "unknown_input": lambda: Data.range(4).filter(lambda x: x > 1).flat_map(Data.range),
    "within": lambda: Data.range(4).flat_map(lambda x: Data.range(3).flat_map(Data.range)),
    "fails": lambda: Data.range(3).flat_map(lambda x: Data.range(tf.cast(tf.debugging.check_numerics(2 / x, "bad"), tf.int64))),
    "empty": lambda: Data.range(0).flat_map(Data.range),
    "interleave": lambda: Data.range(4).interleave(Data.range, cycle_length=2),
    "filter": lambda: Data.range(4).filter(lambda x: x > 1),
}


def counted(build):
    dataset = build()._variant_tensor
    low, moderate = (CardinalityOptions(compute_level=level).SerializeToString() for level in (1, 2))
    known = [tf.raw_ops.DatasetCardinality(input_dataset=dataset, cardinality_options=options) for options in ("", low, moderate)]
    return [step(n) for n in known]


for name, build in COUNTED.items():
    # One thread waits for the functions.
    case(f"DatasetCardinality/{name}", lambda tf, v1, build=build: counted(build), config={"interOpParallelismThreads": 4})

write(__file__)
