"""Programs of TensorFlow that run with Levada's sessions. Skipped where TensorFlow is not installed."""

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
    """What `run` gives with a session of each."""
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
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        "import tensorflow.compat.v1 as tf\n"
        "tf.disable_eager_execution()\n"
        "if __name__ == '__main__':\n"
        "    session = tf.Session()\n"
        "    print('_levada' in vars(session), session.run(tf.constant(6) * 7), sys.argv[1:])\n"
    )
    command = [sys.executable, "-m", "levada.compat.tensorflow", str(script), "argument"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.splitlines()[-1] == "True 42 ['argument']"
