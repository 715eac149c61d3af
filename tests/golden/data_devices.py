"""Input pipelines across devices, as written by `copy_to_device`, `prefetch_to_device` and `MultiDeviceIterator`; and
the functions that are called when an iterator is destroyed before its end."""

import numpy as np
from record import case, fed, step, write

import tensorflow as tf
from tensorflow.python.data.ops.multi_device_iterator_ops import MultiDeviceIterator

raw = tf.raw_ops
Data = tf.data.Dataset
v1 = tf.compat.v1
copy_to_device, prefetch_to_device = tf.data.experimental.copy_to_device, tf.data.experimental.prefetch_to_device

CPUS = {"deviceCount": {"CPU": 2}}
# There is no GPU here, so nodes that ask for one are on the CPU.
SOFT = {"allowSoftPlacement": True}


def flat(element):
    return tf.nest.flatten(element, expand_composites=True)


def reads(name, build, n, device, config, turns=1):
    """A case that reads all `n` elements of a dataset by an iterator on `device`."""

    def steps(tf, v1):
        dataset = build()
        with tf.device(device):
            iterator = v1.data.make_initializable_iterator(dataset)
            following = flat(iterator.get_next())
        turn = [step([], targets=[iterator.initializer]), *[step(following) for _ in range(n)], step(following, error="OUT_OF_RANGE")]
        return turn * turns

    case(name, steps, config=config)


def pairs():
    return Data.range(4).map(lambda x: (tf.cast(x, tf.float32) / 2, {"name": tf.strings.as_string(x), "n": tf.cast(x, tf.int32)}))


for device, config in [("/cpu:1", CPUS), ("/gpu:0", SOFT)]:
    what = device[1:4]
    reads(f"copy_to_device/{what}", lambda: Data.range(3).apply(copy_to_device(device)), 3, device, config, turns=2)
    reads(f"copy_to_device/{what}/sparse", lambda: Data.range(2).map(lambda x: tf.SparseTensor([[0], [x]], [x, x + 1], [5])).apply(
        copy_to_device(device)), 2, device, config)
    reads(f"copy_to_device/{what}/ragged", lambda: Data.range(2).map(lambda x: tf.RaggedTensor.from_row_lengths(
        tf.range(x + 1), [x + 1, 0])).apply(copy_to_device(device)), 2, device, config)
    for size in [None, 2]:
        reads(f"prefetch_to_device/{what}/{size}", lambda: Data.range(20).batch(6).apply(prefetch_to_device(device, size)), 4, device, config, turns=2)
    reads(f"prefetch_to_device/{what}/structure", lambda: pairs().apply(prefetch_to_device(device, 3)), 4, device, config)
    reads(f"prefetch_to_device/{what}/dtypes", lambda: Data.from_tensors(tuple(
        tf.cast([0, 1], dtype) for dtype in [tf.float16, tf.bfloat16, tf.float64, tf.int8, tf.uint8, tf.int16, tf.int64, tf.bool, tf.complex64])
    ).repeat(2).apply(prefetch_to_device(device, 1)), 2, device, config)


def product(tf, v1):
    """A step whose input is already there."""
    dataset = Data.range(5).map(lambda x: tf.fill([2, 2], tf.cast(x, tf.float32))).apply(prefetch_to_device("/gpu:0", 2))
    with tf.device("/gpu:0"):
        iterator = v1.data.make_initializable_iterator(dataset)
        x = iterator.get_next()
        y = tf.matmul(x, x)
    return [step([], targets=[iterator.initializer]), *[step(y) for _ in range(5)], step(y, error="OUT_OF_RANGE")]


case("prefetch_to_device/gpu/product", product, config=SOFT)


def optional(tf, v1):
    with tf.device("/cpu:1"):
        iterator = v1.data.make_initializable_iterator(Data.range(2).apply(prefetch_to_device("/cpu:1", 1)))
        following = tf.data.experimental.get_next_as_optional(iterator)
        has = following.has_value()
    return [step([], targets=[iterator.initializer]), step(has), step(following.get_value()), step(has)]


case("prefetch_to_device/optional", optional, config=CPUS)


def fails(tf, v1):
    """A failing element counts as one of the elements."""
    dataset = Data.range(3).map(lambda x: tf.debugging.check_numerics(1 / (1 - tf.cast(x, tf.float32)), "bad")).apply(
        prefetch_to_device("/cpu:1", 2))
    with tf.device("/cpu:1"):
        iterator = v1.data.make_initializable_iterator(dataset)
        following = iterator.get_next()
    return [step([], targets=[iterator.initializer]), step(following), step(following, error="INVALID_ARGUMENT"), step(following),
            step(following, error="OUT_OF_RANGE")]


case("prefetch_to_device/fails", fails, config=CPUS)


def several(name, n, config=CPUS, devices=("/cpu:0", "/cpu:1"), **options):
    def steps(tf, v1):
        iterator = MultiDeviceIterator(Data.range(n), list(devices), **options)
        following = iterator.get_next()
        whole = [step([], targets=[iterator.initializer]), *[step(following) for _ in range(n // len(devices))]]
        rest = following[n % len(devices)]
        return [*whole, step(rest, error="OUT_OF_RANGE"), *whole]

    case(f"MultiDeviceIterator/{name}", steps, config=config)


several("plain", 6)
several("odd", 7)
several("buffers", 6, max_buffer_size=3, prefetch_buffer_size=2)
several("unbuffered", 4, prefetch_buffer_size=0)
several("one", 3, devices=["/cpu:1"])
several("gpu", 6, config=SOFT, devices=["/gpu:0", "/cpu:0"])


def get_next_of(tf, v1):
    iterator = MultiDeviceIterator(pairs(), ["/cpu:0", "/cpu:1"])
    first, second = flat(iterator.get_next("/cpu:0")), flat(iterator.get_next("/cpu:1"))
    return [step([], targets=[iterator.initializer]), step(second), step(first), step(first), step(second),
            step(first, error="OUT_OF_RANGE"), step(second, error="OUT_OF_RANGE")]


case("MultiDeviceIterator/of_one", get_next_of, config=CPUS)


# Functions called at the end.

def counted(next_function=lambda state, _: state):
    """A generator that adds its state to a variable when it is finalized, and that variable."""
    total = v1.get_variable("total", initializer=np.int64(0), use_resource=True)
    begun = v1.get_variable("begun", initializer=np.int64(0), use_resource=True)

    @tf.function(input_signature=[tf.TensorSpec([], tf.resource)])
    def init(begun):
        raw.AssignAddVariableOp(resource=begun, value=tf.constant(1, tf.int64))
        return raw.ReadVariableOp(resource=begun, dtype=tf.int64)

    following = tf.function(next_function, input_signature=[tf.TensorSpec([], tf.int64), tf.TensorSpec([], tf.resource)])

    @tf.function(input_signature=[tf.TensorSpec([], tf.int64), tf.TensorSpec([], tf.resource)])
    def finalize(state, total):
        raw.AssignAddVariableOp(resource=total, value=state * 100)
        return state

    dataset = raw.GeneratorDataset(
        init_func_other_args=[begun.handle], next_func_other_args=[begun.handle], finalize_func_other_args=[total.handle],
        init_func=init.get_concrete_function(), next_func=following.get_concrete_function(),
        finalize_func=finalize.get_concrete_function(), output_types=[tf.int64], output_shapes=[[]])
    return dataset, total


def plain(dataset):
    """The dataset without TensorFlow's additions: prefetched elements would be finalized at any time."""
    options = tf.data.Options()
    options.experimental_optimization.inject_prefetch = False
    return raw.OptionsDataset(input_dataset=dataset, serialized_options=options._to_proto().SerializeToString(), **ELEMENT)


ELEMENT = {"output_types": [tf.int64], "output_shapes": [[]]}


def begins(total):
    return step([], targets=[v1.global_variables_initializer()])


def made_again(tf, v1):
    dataset, total = counted()
    iterator = raw.IteratorV2(shared_name="", container="", **ELEMENT)
    make = raw.MakeIterator(dataset=plain(dataset), iterator=iterator)
    following = list(raw.IteratorGetNext(iterator=iterator, **ELEMENT))
    value = total.read_value()
    return [begins(total), step([], targets=[make]), step(value), step([], targets=[make]), step(value), step(following), step(following),
            step(value), step([], targets=[make]), step(value), step(following), step(value)]


case("GeneratorDataset/finalized/made_again", made_again)


def within(name, wrap, n):
    """Where another dataset releases the generator."""

    def steps(tf, v1):
        dataset, total = counted()
        dataset = plain(wrap(dataset))
        iterator = raw.IteratorV2(shared_name="", container="", **ELEMENT)
        make = raw.MakeIterator(dataset=dataset, iterator=iterator)
        element = list(raw.IteratorGetNext(iterator=iterator, **ELEMENT))
        value = total.read_value()
        return [begins(total), step([], targets=[make]), *[step([*element]) for _ in range(n)], step(value),
                step([], targets=[make]), step(value)]

    case(f"GeneratorDataset/finalized/{name}", steps)


within("take", lambda d: raw.TakeDataset(input_dataset=d, count=tf.constant(5, tf.int64), **ELEMENT), 3)
within("repeat", lambda d: raw.RepeatDataset(
    input_dataset=raw.TakeDataset(input_dataset=d, count=tf.constant(2, tf.int64), **ELEMENT), count=tf.constant(-1, tf.int64), **ELEMENT), 3)
within("skip", lambda d: raw.SkipDataset(input_dataset=d, count=tf.constant(1, tf.int64), **ELEMENT), 2)


def deleted(tf, v1):
    dataset, total = counted()
    made = raw.AnonymousIteratorV3(**ELEMENT)
    with tf.control_dependencies([raw.MakeIterator(dataset=plain(dataset), iterator=made)]):
        element = list(raw.IteratorGetNext(iterator=made, **ELEMENT))
    value = total.read_value()
    return [begins(total), step(element), step(value), step(element), step(value)]


case("GeneratorDataset/finalized/anonymous", deleted)


def reduced(tf, v1):
    dataset, total = counted()
    once = raw.TakeDataset(input_dataset=dataset, count=tf.constant(3, tf.int64), **ELEMENT)
    add = tf.function(lambda a, b: a + b, input_signature=[tf.TensorSpec([], tf.int64)] * 2).get_concrete_function()
    result = list(raw.ReduceDataset(input_dataset=once, initial_state=[tf.constant(0, tf.int64)], other_arguments=[], f=add, **ELEMENT))
    value = total.read_value()
    return [begins(total), step(result), step(value)]


case("GeneratorDataset/finalized/reduced", reduced)

write(__file__)
