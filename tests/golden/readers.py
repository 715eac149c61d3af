"""Readers that access no file, and file names."""

from record import case, fed, step, write


def reader(tf, v2, names=(), types=("string",), shapes=((),), closed=True):
    raw, end = tf.raw_ops, "V2" if v2 else ""
    types = [tf.as_dtype(t) for t in types]
    q = getattr(raw, "FIFOQueue" + end)(component_types=types, shapes=[list(s) for s in shapes], capacity=20)
    put = getattr(raw, "QueueEnqueueMany" + end)(handle=q, components=[fed(list(names), "string", [None], name="names")]) \
        if types == [tf.string] and shapes == ((),) else None
    close = getattr(raw, "QueueClose" + end)(handle=q)
    r = getattr(raw, "IdentityReader" + end)()

    def op(name, **args):
        return getattr(raw, "Reader" + name + end)(reader_handle=r, **args)

    return q, put, close, op


# TensorFlow makes readers with references in old graphs only; both forms are one kernel.
for v2 in [True]:
    form = "resource" if v2 else "reference"

    def in_turn(tf, v1, v2=v2):
        q, put, close, op = reader(tf, v2, ["a", "b", "c"])
        read = list(op("Read", queue_handle=q))
        counts = [op("NumRecordsProduced"), op("NumWorkUnitsCompleted")]
        return [step(counts), step([], targets=[put]), step(read), step(counts), step(read), step([], targets=[close]),
                step(read), step(counts), step(read, error="OUT_OF_RANGE"), step([], targets=[op("Reset")]), step(counts)]

    case(f"readers/{form}/in_turn", in_turn)

    def up_to(tf, v1, v2=v2):
        q, put, close, op = reader(tf, v2, ["a", "b", "c"])
        many = [list(op("ReadUpTo", queue_handle=q, num_records=n)) for n in (2, 0)]
        counts = [op("NumRecordsProduced"), op("NumWorkUnitsCompleted")]
        return [step([], targets=[put]), step(many[0]), step(many[1]), step(counts), step(many[0]),
                step([], targets=[close]), step(many[0]), step(many[0], error="OUT_OF_RANGE")]

    case(f"readers/{form}/up_to", up_to)

    def state(tf, v1, v2=v2):
        q, put, close, op = reader(tf, v2, ["a", "b", "c"])
        read = list(op("Read", queue_handle=q))
        saved = op("SerializeState")
        given = v1.placeholder(tf.string, [])
        restore = op("RestoreState", state=given)
        counts = [op("NumRecordsProduced"), op("NumWorkUnitsCompleted")]
        bad = [b"\xff", b"BOGUS", b"\x08\x02\x10\x01", b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\x0a\x01a"]
        return [step(saved), step([], targets=[put]), step(read), step(saved),
                step([], {given: b"\x08\x05\x10\x05\x18\x09\x22\x01z"}, [restore]), step(counts), step(saved), step(read),
                step(saved), step([], {given: b""}, [restore]), step(saved),
                *[step([], {given: s}, [restore], error="INVALID_ARGUMENT") for s in bad[:4]], step(counts)]

    case(f"readers/{form}/state", state)

    for name, types, shapes in [("ints", ["int32"], ((),)), ("pairs", ["string", "string"], ((), ())),
                                ("vectors", ["string"], ((2,),))]:
        def wrong(tf, v1, v2=v2, types=types, shapes=shapes):
            q, _, _, op = reader(tf, v2, types=types, shapes=shapes)
            put = getattr(tf.raw_ops, "QueueEnqueue" + ("V2" if v2 else ""))(
                handle=q, components=[tf.zeros(s, t) if t != "string" else tf.fill(s, "s") for t, s in zip(types, shapes)])
            return [step([], targets=[put]), step(list(op("Read", queue_handle=q)), error="INVALID_ARGUMENT")]

        case(f"readers/{form}/{name}", wrong)

case("ShardedFilename", lambda tf, v1: [
    tf.raw_ops.ShardedFilename(basename=fed("a/b"), shard=fed(s), num_shards=fed(n))
    for s, n in [(0, 1), (12, 345), (123456, 1234567), (-3, 10)]])
case("ShardedFilespec", lambda tf, v1: [
    tf.raw_ops.ShardedFilespec(basename=fed("a/b"), num_shards=fed(n)) for n in [1, 345, 1234567]])
case("ShardedFilename/vector", lambda tf, v1: tf.raw_ops.ShardedFilename(
    basename=fed(["a"]), shard=fed(1), num_shards=fed(2)), error="INVALID_ARGUMENT")
case("ScalarSummary", lambda tf, v1: tf.raw_ops.MergeSummary(inputs=[
    tf.raw_ops.ScalarSummary(tags=fed("one"), values=fed(0.5)),
    tf.raw_ops.ScalarSummary(tags=fed(["a", "b"]), values=fed([3, 4]))]))
case("ScalarSummary/shapes", lambda tf, v1: tf.raw_ops.ScalarSummary(tags=fed("one"), values=fed([0.5, 1.0])),
     error="INVALID_ARGUMENT")

write(__file__)
