"""TensorFlow programs that run with Levada's sessions. Skipped if TensorFlow is not installed."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
tf = pytest.importorskip("tensorflow")
v1 = tf.compat.v1
compat = pytest.importorskip("levada.compat.tensorflow")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def both(run):
    """The results of `run` with a session of each."""
    with v1.Session() as session:
        expected = run(session)
    with compat.Session() as session:
        found = run(session)
    return expected, found


def test_fetches_and_feeds_are_tensorflows():
    x = v1.placeholder(tf.float32, [None, 2], name="x")
    sparse = v1.sparse_placeholder(tf.float32)
    y, dense = x * 2, tf.sparse.to_dense(sparse)
    nothing = tf.no_op()
    fetches = {"y": y, "both": (y, [dense, nothing]), "name": "x:0", "sparse": sparse}
    feeds = {x: [[1, 2]], sparse: tf.compat.v1.SparseTensorValue([[0, 1], [2, 2]], [1.0, 2.0], [3, 3])}
    for _ in range(2):
        expected, found = both(lambda session: session.run(fetches, feeds))
        assert expected.keys() == found.keys() and type(found["sparse"]) is type(expected["sparse"])
        np.testing.assert_equal(found["y"], expected["y"])
        np.testing.assert_equal(found["both"][1][0], expected["both"][1][0])
        assert found["both"][1][1] is None
        np.testing.assert_equal(found["sparse"].values, expected["sparse"].values)


def test_scalars_and_strings_have_tensorflows_types():
    fetches = [tf.constant(1.5), tf.constant("a"), tf.constant(["a", "b"]), tf.constant(True), tf.constant(3, tf.bfloat16)]
    expected, found = both(lambda session: session.run(fetches))
    for e, f in zip(expected, found):
        assert type(e) is type(f) and getattr(e, "dtype", None) == getattr(f, "dtype", None)
        np.testing.assert_equal(f, e)


def test_wrong_runs_raise_what_tensorflow_raises():
    x = v1.placeholder(tf.float32, [None, 2], name="x")
    y = tf.reshape(x, [-1, 3], name="y")
    for make in (v1.Session, compat.Session):
        with make() as session:
            for _ in range(2):
                with pytest.raises(ValueError, match="Cannot feed value of shape"):
                    session.run(y, {x: [1.0]})
                with pytest.raises(TypeError):
                    session.run(y, {"nothing": 1.0})
                with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                    session.run(y, {x: [[1.0, 2.0]]})
                assert caught.value.op is y.op and caught.value.node_def.name == "y"
        with pytest.raises(RuntimeError, match="closed"):
            session.run(y, {x: [[1.0, 2.0]]})


def test_the_session_follows_the_graph():
    with compat.Session() as session:
        a = tf.constant(1.0)
        assert session.run(a) == 1
        variable = v1.get_variable("v", initializer=2.0, use_resource=False)
        session.run(variable.initializer)
        for i in range(3):
            assert session.run(variable.assign_add(a)) == 3 + i
        function = tf.function(lambda x: x * 2).get_concrete_function(tf.TensorSpec([], tf.float32))
        assert session.run(function(a)) == 2


def test_queue_runners_saver_and_monitored_sessions(tmp_path):
    queue = tf.queue.FIFOQueue(4, [tf.int32], [[]])
    count = v1.get_variable("count", initializer=0, use_resource=False)
    runner = v1.train.QueueRunner(queue, [queue.enqueue(count.assign_add(1, use_locking=True))])
    v1.train.add_queue_runner(runner)
    element = queue.dequeue()
    step = v1.train.get_or_create_global_step()
    train = v1.assign_add(step, 1)
    with compat.use():
        with v1.train.MonitoredTrainingSession(
            checkpoint_dir=str(tmp_path), hooks=[v1.train.StopAtStepHook(last_step=5)], save_checkpoint_steps=2
        ) as session:
            assert isinstance(session, v1.train.MonitoredSession)
            seen = []
            while not session.should_stop():
                seen.append(session.run([element, train])[0])
    assert len(seen) == 5 and sorted(seen) == sorted(set(seen))
    assert v1.train.latest_checkpoint(str(tmp_path)).endswith("-5")


def test_a_queue_closed_by_another_thread_ends_who_waits():
    queue = tf.queue.FIFOQueue(4, [tf.int32])
    element, close = queue.dequeue(), queue.close()
    with compat.Session() as session:
        raised = []

        def wait():
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(element)
            raised.append(True)

        thread = threading.Thread(target=wait)
        thread.start()
        session.run(close)
        thread.join(30)
        assert raised
        with pytest.raises(tf.errors.DeadlineExceededError, match="Timed out waiting for notification"):
            other = tf.queue.FIFOQueue(4, [tf.int32])
            session.run(other.dequeue(), options=v1.RunOptions(timeout_in_ms=50))


def test_functions_of_the_program():
    x = v1.placeholder(tf.float32, [2])
    plain = v1.py_func(lambda a: a + 1, [x], tf.float32)
    eager = tf.py_function(lambda a: a * a, [x], tf.float32)
    eager.set_shape([2])
    (gradient,) = tf.gradients(eager, x)
    expected, found = both(lambda session: session.run([plain, eager, gradient], {x: [1.0, 2.0]}))
    np.testing.assert_equal(found, expected)


def test_partial_runs_and_callables():
    a, b = v1.placeholder(tf.float32, []), v1.placeholder(tf.float32, [])
    total, product = a + b, (a + b) * b
    with compat.Session() as session:
        handle = session.partial_run_setup([total, product], [a, b])
        assert session.partial_run(handle, total, {a: 1, b: 2}) == 3
        assert session.partial_run(handle, product) == 6
        add = session.make_callable([total, product], [a, b])
        assert add(np.float32(2), np.float32(3)) == [5, 15]
        assert add(2, 3) == [5, 15]


def test_traces_are_step_stats():
    x = tf.constant([1.0]) * v1.placeholder_with_default([2.0], [1])
    metadata = v1.RunMetadata()
    with compat.Session() as session:
        session.run(x, options=v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE), run_metadata=metadata)
    (device,) = metadata.step_stats.dev_stats
    assert device.device.endswith("CPU:0") and device.node_stats


def test_only_what_is_made_within_is_levadas():
    before = v1.Session()
    with compat.use():
        within = v1.Session()
        assert tf.constant(1).graph is within.graph
    after = v1.Session()
    assert "_levada" in vars(within) and "_levada" not in vars(before) and "_levada" not in vars(after)
    one = tf.constant(1)
    assert [session.run(one) for session in (before, within, after)] == [1, 1, 1]


def test_a_script_runs_as_it_is(tmp_path):
    (tmp_path / "beside.py").write_text("six = 6\n")
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        "from beside import six\n"
        "import tensorflow.compat.v1 as tf\n"
        "tf.disable_eager_execution()\n"
        "if __name__ == '__main__':\n"
        "    session = tf.Session()\n"
        "    print('_levada' in vars(session), session.run(tf.constant(six) * 7), sys.argv[1:])\n"
    )
    for named, directory in ([str(script)], None), (["-m", "script"], tmp_path):
        command = [sys.executable, "-m", "levada.compat.tensorflow", *named, "argument"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True, cwd=directory)
        assert done.stdout.splitlines()[-1] == "True 42 ['argument']"


def test_runs_of_one_form_are_prepared():
    x = v1.placeholder(tf.float32, [None], name="x")
    scale = v1.get_variable("scale", initializer=2.0, use_resource=True)
    y = x * scale
    with tf.control_dependencies([y]):
        step = scale.assign_add(1.0).op
    forms = [y, "y_by_name:0", [y, step], (step, "x:0"), {"y": y, "both": [y, (y,)]}, scale, [], step]
    tf.identity(y, name="y_by_name")
    values = [[1.0, 2.0], np.array([3.0]), np.array([1, 2, 3]), np.float32(4) * np.ones(2, np.float32)]

    def run(session):
        session.run(scale.initializer)
        found = [session.run(form, {x: value}) for value in values for form in forms]
        return [*found, *(session.run(form, {"x:0": [1.0]}) for form in forms)]

    expected, found = both(run)
    for e, f in zip(expected, found, strict=True):
        assert type(e) is type(f)
        tf.nest.assert_same_structure(e, f)
        for one, other in zip(tf.nest.flatten(e), tf.nest.flatten(f), strict=True):
            np.testing.assert_equal(other, one)
    with compat.Session() as session:
        session.run(scale.initializer)
        for _ in range(3):
            np.testing.assert_equal(session.run(y, {x: [1.0]}), [2.0])
        with pytest.raises(ValueError, match="Cannot feed value of shape"):
            session.run(y, {x: 1.0})
        with pytest.raises(TypeError, match="cannot be a tf.Tensor"):
            session.run(y, {x: y})
        negative = -y
        for _ in range(3):
            np.testing.assert_equal(session.run([negative, y], {x: [1.0]}), [[-2.0], [2.0]])
    for _ in range(3):
        with pytest.raises(RuntimeError, match="closed Session"):
            session.run(y, {x: [1.0]})


def test_a_list_that_changes_is_another_form():
    x, y = tf.constant(1), tf.constant(2)
    with compat.Session() as session:
        fetches = [x, y]
        for _ in range(3):
            assert session.run(fetches) == [1, 2]
        fetches.reverse()
        for _ in range(3):
            assert session.run(fetches) == [2, 1]


def test_quantized_integers_are_integers():
    x = v1.placeholder(tf.qint32, [2])
    fetches = [tf.identity(x), tf.cast([1, 2], tf.quint8), tf.cast(3, tf.qint8)]
    for _ in range(3):
        for e, f in zip(*both(lambda session: session.run(fetches, {x: np.array([5, 6], np.int32)}))):
            assert e.dtype == f.dtype
            np.testing.assert_equal(f, e)


def test_placements_are_logged(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import tensorflow.compat.v1 as tf\n"
        "tf.disable_eager_execution()\n"
        "x = tf.placeholder(tf.float32, [], name='x')\n"
        "with tf.device('/cpu:1'):\n"
        "    y = tf.negative(x, name='y')\n"
        "config = tf.ConfigProto(log_device_placement=True, device_count={'CPU': 2})\n"
        "with tf.Session(config=config) as session:\n"
        "    session.run(y, {x: 1.0})\n"
    )

    def logged(*command):
        environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "0"}
        done = subprocess.run(
            [sys.executable, *command, str(script)], capture_output=True, text=True, timeout=300, check=True, env=environment
        )
        return {line for line in (done.stdout + done.stderr).splitlines() if line.startswith(("x: ", "y: "))}

    expected = logged()
    assert len(expected) == 2 and logged("-m", "levada.compat.tensorflow") == expected


def test_what_a_node_got_after_a_run_is_an_error():
    with tf.Graph().as_default():
        v1.enable_control_flow_v2()
        try:
            x = tf.constant(10.0)
            y = tf.cond(tf.less(1, 2), lambda: x * x * x, lambda: x)

            def run(session):
                session.run(y)
                with pytest.raises(tf.errors.InvalidArgumentError) as raised:
                    session.run(tf.gradients(y, x))
                return raised.value.op.type

            with compat.Session() as session:
                assert run(session) == "StatelessIf"
        finally:
            v1.disable_control_flow_v2()


def test_tensors_that_the_session_holds_are_fed():
    x = tf.constant([1.0, 2.0, 3.0])
    handle = v1.get_session_handle(x * 2)
    y = tf.reduce_sum(x)

    def run(session):
        return session.run(y, {x: session.run(handle)})

    expected, found = both(run)
    assert found == expected == 12.0


def test_handles_of_resources_are_arrays():
    variable = v1.get_variable("v", initializer=3.0, use_resource=True)

    def run(session):
        session.run(variable.initializer)
        return [session.run(variable.handle) for _ in range(3)]

    for expected, found in zip(*both(run)):
        assert isinstance(found, np.ndarray) and found.dtype.names == expected.dtype.names and len(found) > 0


def test_traces_of_prepared_runs():
    x = v1.placeholder(tf.float32, [])
    y = tf.exp(x)
    options = v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE)
    with compat.Session() as session:
        for fetch, feeds in ((y, [x]), (tf.constant(1.0), [])):
            metadata = v1.RunMetadata()
            session.make_callable(fetch, feeds, accept_options=True)(*[0.0 for _ in feeds], options=options, run_metadata=metadata)
            assert [stats.device for stats in metadata.step_stats.dev_stats] == ["/job:localhost/replica:0/task:0/device:CPU:0"]
