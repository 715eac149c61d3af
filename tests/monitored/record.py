"""Records the order in which TensorFlow's MonitoredSession calls hooks, in hooks.json, and what a graph with
queues learns there, in pipeline.meta.gz and pipeline.json.

    python record.py

Each scenario trains a counter with hooks that record each call and the counter's current value.
"""

import gzip
import json
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_eager_execution()
tf1.logging.set_verbosity("FATAL")


class Spy(tf1.train.SessionRunHook):
    """Records each call, and fails or requests a stop as a scenario says."""

    def __init__(self, name, calls, plan):
        self.name, self.calls, self.plan = name, calls, plan

    def note(self, call, session=None):
        if session is None:
            self.calls.append(f"{self.name}.{call}")
        else:
            self.calls.append(f"{self.name}.{call} {session.run('global_step/Read/ReadVariableOp:0')}")
        self.act(f"{self.name}.{call}")

    def act(self, call):
        todo = self.plan.get(call)
        if todo:
            error = todo.pop(0)
            if error == "aborted":
                raise tf.errors.AbortedError(None, None, "lost")
            if error == "unavailable":
                raise tf.errors.UnavailableError(None, None, "lost")
            if error == "invalid":
                raise tf.errors.InvalidArgumentError(None, None, "wrong")
            if error == "out of range":
                raise tf.errors.OutOfRangeError(None, None, "no more")
            if error == "stop":
                self.context.request_stop()

    def begin(self):
        self.note("begin")

    def after_create_session(self, session, coord):
        self.note("after_create_session", session)

    def before_run(self, run_context):
        self.context = run_context
        self.note("before_run", run_context.session)

    def after_run(self, run_context, run_values):
        self.note("after_run", run_context.session)

    def end(self, session):
        self.note("end", session)


def run(scenario, directory):
    calls = []
    plan = {call: list(acts) for call, acts in scenario["plan"].items()}
    with tf.Graph().as_default():
        step = tf1.train.get_or_create_global_step()
        train = tf1.assign_add(step, 1)
        hooks = []
        for kind in scenario["hooks"]:
            if kind == "a" or kind == "b":
                hooks.append(Spy(kind, calls, plan))
            elif kind[0] == "stop at":
                hooks.append(tf1.train.StopAtStepHook(last_step=kind[1]))
            elif kind[0] == "stop after":
                hooks.append(tf1.train.StopAtStepHook(num_steps=kind[1]))
            elif kind[0] == "save":
                hooks.append(tf1.train.CheckpointSaverHook(directory, save_steps=kind[1], saver=tf1.train.Saver(max_to_keep=None)))
        creator = tf1.train.ChiefSessionCreator(checkpoint_dir=directory)
        outcome = "ended"
        runs = 0
        try:
            with tf1.train.MonitoredSession(creator, hooks) as session:
                while not session.should_stop() and runs < scenario["runs"]:
                    session.run(train)
                    runs += 1
        except tf.errors.OpError as error:
            outcome = type(error).__name__
    saved = sorted(int(name[len("model.ckpt-"):-len(".index")]) for name in os.listdir(directory) if name.endswith(".index"))
    return {"calls": calls, "outcome": outcome, "runs": runs, "saved": saved}


SCENARIOS = [
    {"name": "two hooks", "hooks": ["a", "b"], "runs": 2, "plan": {}},
    {"name": "a hook asks to stop", "hooks": ["a", "b"], "runs": 9, "plan": {"a.after_run": ["", "stop"]}},
    {"name": "a hook asks to stop before a run", "hooks": ["a", "b"], "runs": 9, "plan": {"b.before_run": ["", "stop"]}},
    {"name": "stop at a step", "hooks": ["a", ["stop at", 3]], "runs": 9, "plan": {}},
    {"name": "stop after steps", "hooks": ["a", ["stop after", 2]], "runs": 9, "plan": {}},
    {"name": "before a run a hook aborts", "hooks": ["a", "b"], "runs": 2, "plan": {"a.before_run": ["", "aborted"]}},
    {"name": "after a run a hook aborts", "hooks": ["a", "b", ["save", 2]], "runs": 4, "plan": {"b.after_run": ["", "", "", "aborted"]}},
    {"name": "unavailable twice", "hooks": ["a", ["save", 1]], "runs": 4, "plan": {"a.after_run": ["", "unavailable", "unavailable"]}},
    {"name": "creation fails", "hooks": ["a", "b"], "runs": 1, "plan": {"b.after_create_session": ["aborted"]}},
    {"name": "a hook fails", "hooks": ["a", "b"], "runs": 3, "plan": {"b.after_run": ["", "invalid"]}},
    {"name": "the input ends", "hooks": ["a", "b", ["save", 5]], "runs": 9, "plan": {"b.before_run": ["", "", "", "out of range"]}},
    {"name": "saved every two steps", "hooks": [["save", 2], "a"], "runs": 5, "plan": {}},
    {"name": "a hook fails at the end", "hooks": ["a", "b"], "runs": 1, "plan": {"a.end": ["invalid"]}},
]


def pipeline(folder):
    """Trains a graph with queues in MonitoredSession; keeps the graph and the losses."""
    with tf.Graph().as_default() as graph:
        numbers = np.arange(48, dtype=np.float32).reshape(16, 3) % 7 / 7
        wanted = numbers.sum(1, keepdims=True) * 2 - 1
        x, y = tf1.train.slice_input_producer([tf.constant(numbers), tf.constant(wanted)], shuffle=False)
        x, y = tf1.train.shuffle_batch([x, y], 4, capacity=12, min_after_dequeue=11, num_threads=1, seed=5)
        with tf1.variable_scope("out"):
            kernel = tf1.get_variable("kernel", initializer=tf.constant([[0.1], [0.2], [0.3]]))
            bias = tf1.get_variable("bias", initializer=tf.zeros([1]))
        loss = tf.identity(tf.reduce_mean(tf1.squared_difference(x @ kernel + bias, y)), "loss")
        step = tf1.train.get_or_create_global_step()
        tf1.train.MomentumOptimizer(0.1, 0.5).minimize(loss, global_step=step, name="train_op")
        tf1.summary.scalar("loss_summary", loss)
        scaffold = tf1.train.Scaffold()
        scaffold.finalize()
        graph._unsafe_unfinalize()
        meta = tf1.train.export_meta_graph(saver_def=scaffold.saver.saver_def)
        with gzip.GzipFile(os.path.join(folder, "pipeline.meta.gz"), "wb", mtime=0) as file:
            file.write(meta.SerializeToString(deterministic=True))
        config = tf1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
        with tf1.train.MonitoredSession(tf1.train.ChiefSessionCreator(scaffold, config=config)) as session:
            losses = [float(session.run([loss, "train_op"])[0]) for _ in range(12)]
    with open(os.path.join(folder, "pipeline.json"), "w") as file:
        json.dump(losses, file)
        file.write("\n")


def main():
    import tempfile

    folder = os.path.dirname(os.path.abspath(__file__))
    pipeline(folder)

    cases = []
    for scenario in SCENARIOS:
        with tempfile.TemporaryDirectory() as directory:
            cases.append({**scenario, "expected": run(scenario, directory)})
    with open(os.path.join(folder, "hooks.json"), "w") as file:
        json.dump(cases, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
