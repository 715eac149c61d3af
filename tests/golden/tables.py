"""Lookup tables of every kind."""

import numpy as np

from record import case, fed, step, write

INVALID = "INVALID_ARGUMENT"
UNSET = "FAILED_PRECONDITION"


def case_of(name, **options):
    return lambda build: case(f"tables/{name}", build, **options)


def keys_of(dtype, *numbers):
    return np.array([b"k%d" % n for n in numbers], object) if dtype == "string" else np.array(numbers)


class Table:
    """A table, and its ops in one form."""

    def __init__(self, tf, kind, key, value, v2=True, **attrs):
        self.raw, self.key, self.value, self.form = tf.raw_ops, key, value, "V2" if v2 else ""
        make = getattr(tf.raw_ops, kind if kind.startswith("Anonymous") else kind + self.form)
        if "Dense" not in kind:
            attrs["key_dtype"] = key
        self.t = make(value_dtype=value, **attrs)

    def op(self, name, **args):
        return getattr(self.raw, name + self.form)(table_handle=self.t, **args)

    def fill(self, keys, values):
        return self.op("InitializeTable", keys=fed(keys, self.key), values=fed(values, self.value))

    def insert(self, keys, values, name="Insert"):
        return self.op("LookupTable" + name, keys=fed(keys, self.key), values=fed(values, self.value))

    def find(self, keys, default):
        return self.op("LookupTableFind", keys=fed(keys, self.key), default_value=fed(default, self.value))

    def remove(self, keys):
        return self.raw.LookupTableRemoveV2(table_handle=self.t, keys=fed(keys, self.key))

    def size(self):
        return self.op("LookupTableSize")

    def export(self):
        return list(self.op("LookupTableExport", Tkeys=self.key, Tvalues=self.value))


for key, value in [("string", "int64"), ("int64", "string"), ("string", "float32"), ("int32", "int32"), ("string", "bool")]:
    for v2 in [False, True] if key == "int32" else [True]:

        @case_of(f"HashTable/{key}/{value}/{'resource' if v2 else 'reference'}")
        def _(tf, v1, key=key, value=value, v2=v2):
            t = Table(tf, "HashTable", key, value, v2)
            v = (lambda *n: keys_of("string", *n)) if value == "string" else (lambda *n: np.array(n))
            return [
                step(t.find(keys_of(key, 1), v(9)[0]), error=UNSET), step(t.size()),
                step([], targets=[t.fill(keys_of(key), v())], error=INVALID),
                step([], targets=[t.insert(keys_of(key), v(), "Import")], error=INVALID),
                step([], targets=[t.fill(keys_of(key, 1, 2), v(3, 4).reshape(2, 1))], error=INVALID),
                step([], targets=[t.fill(keys_of(key, 1, 2), v(3))], error=INVALID),
                step([], targets=[t.fill(keys_of(key, 1, 2, 1), v(1, 0, 1))]), step(t.size()),
                step(t.find(np.reshape(keys_of(key, 1, 2, 3, 4), (2, 2)), v(9)[0])),
                step([], targets=[t.fill(keys_of(key, 5, 6, 7), v(3, 4, 5))], error=UNSET),
                step([], targets=[t.insert(keys_of(key, 1), v(1))], error="UNIMPLEMENTED"),
            ]


for kind in ["MutableHashTable", "AnonymousMutableHashTable"]:

    @case_of(kind)
    def _(tf, v1, kind=kind):
        t = Table(tf, kind, "string", "int64")
        key = lambda *n: keys_of("string", *n)
        return [
            step(t.find(key(1), 7)), step([], targets=[t.insert(key(1, 2, 1), [1, 2, 3])]), step(t.size()),
            step(t.find(key(2, 1, 4), 7)), step(t.find(key(2, 4, 5), [7, 8, 9])), step(t.find(key(3)[0], 7)),
            step(t.find(key(2, 4), [7, 8, 9]), error=INVALID),
            step([], targets=[t.insert(key(1, 2), [1])], error=INVALID),
            step([], targets=[t.insert(key(), [])]), step([], targets=[t.remove(key(9, 2))]), step(t.size()),
            step(t.export()), step([], targets=[t.insert(key(4, 5, 4), [1, 2, 3], "Import")]), step(t.size()),
            step(t.find(key(1, 4, 5), 7)), step([], targets=[t.fill(key(1), [1])], error=INVALID),
        ]


for kind in ["MutableHashTableOfTensors", "AnonymousMutableHashTableOfTensors"]:

    @case_of(kind)
    def _(tf, v1, kind=kind):
        t = Table(tf, kind, "int64", "float32", value_shape=[2])
        return [
            step([], targets=[t.insert([1, 2], [[1, 2], [3, 4]])]), step(t.find([[2, 5]], [9, 9])), step(t.find(1, [9, 9])),
            step(t.find([2, 5], [[9, 9], [8, 7]])), step(t.find([2], 9), error=INVALID),
            step([], targets=[t.insert([1, 2], [1, 2])], error=INVALID),
            step([], targets=[t.insert([1], [[1, 2, 3]])], error=INVALID), step([], targets=[t.remove([1])]), step(t.export()),
        ]


for kind in ["MutableDenseHashTable", "AnonymousMutableDenseHashTable"]:

    @case_of(kind)
    def _(tf, v1, kind=kind):
        t = Table(tf, kind, "int64", "int64", empty_key=tf.constant(-1, tf.int64), deleted_key=tf.constant(-2, tf.int64),
                  value_shape=[], initial_num_buckets=4)
        shapes = [tf.shape(x) for x in t.export()]
        return [
            step(shapes), step([], targets=[t.insert([1, 2], [10, 20])]), step(t.find([2, 3], 7)), step(shapes),
            step([], targets=[t.insert([-1], [10])], error=INVALID), step(t.find([-2], 7), error=INVALID),
            step([], targets=[t.insert(range(3, 9), range(6))]), step(t.size()), step(shapes),
            step([], targets=[t.remove([1, 99])]), step(t.size()),
            step([], targets=[t.insert([1, 2], [3, 4], "Import")], error=INVALID), step(t.size()),
            step([], targets=[t.insert([[1], [2], [3], [-1]], [[10], [20], [30], [0]], "Import")]), step(t.size()),
            step(shapes),
        ]

    @case_of(f"{kind}/rows")
    def _(tf, v1, kind=kind):
        t = Table(tf, kind, "string", "float32", empty_key=tf.constant([b"a", b""]), deleted_key=tf.constant([b"b", b""]),
                  value_shape=[3], initial_num_buckets=4)
        pairs = np.array([[b"x", b"y"], [b"x", b"z"]], object)
        shapes = [tf.shape(x) for x in t.export()]
        return [
            step([], targets=[t.insert(pairs, [[1, 2, 3], [4, 5, 6]])]), step(t.find(pairs[::-1], [0, 0, 0])), step(shapes),
            step(t.find(pairs.reshape(-1)[:3], [0, 0, 0]), error=INVALID),
            step([], targets=[t.insert(pairs, [1, 2, 3])], error=INVALID), step([], targets=[t.remove(pairs[:1])]),
            step(t.size()),
        ]


for name, attrs in [("equal", dict(deleted_key=-1)), ("buckets", dict(initial_num_buckets=3)), ("load", dict(max_load_factor=1.5))]:

    @case_of(f"dense_faults/{name}", error=INVALID)
    def _(tf, v1, attrs=attrs):
        args = {**dict(deleted_key=-2, initial_num_buckets=4, max_load_factor=0.8), **attrs}
        args["deleted_key"] = fed(args["deleted_key"], "int64")
        return Table(tf, "MutableDenseHashTable", "int64", "int64", empty_key=fed(-1, "int64"), value_shape=[], **args).size()


@case_of("dense_v1", error=INVALID)
def _(tf, v1):
    """Its op lacks the input for the deleted key that its kernel requires."""
    t = Table(tf, "MutableDenseHashTable", "int64", "int64", v2=False, empty_key=fed(-1, "int64"), initial_num_buckets=4)
    return t.op("LookupTableSize")


@case_of("one_name_one_table")
def _(tf, v1):
    a = Table(tf, "MutableHashTable", "int64", "int64", shared_name="t")
    b = Table(tf, "MutableHashTable", "int64", "int64", shared_name="t")
    c = Table(tf, "MutableHashTable", "int64", "float32", shared_name="t")
    return [step([], targets=[a.insert([1], [2])]), step(b.find([1], 0)), step(c.size(), error=INVALID)]


write(__file__)
