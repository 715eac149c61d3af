"""Records the results of TensorFlow's optimizers on a small model: writes optimizers.json beside this file.

    pip install tensorflow-cpu
    python tests/train/record_optimizers.py

The model has a matrix, a vector and a table from which some rows are gathered, some of them twice. For each optimizer:
the losses of each step and the variables after the last.
"""
import json, os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_eager_execution()
tf1.disable_control_flow_v2()
HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = 8


def values(shape, scale):
    n = int(np.prod(shape))
    return (np.sin(np.arange(n) * 1.7 + n) * scale).reshape(shape).astype(np.float32)


def model():
    w = tf1.get_variable("w", initializer=values([3, 2], 0.8), use_resource=True)
    c = tf1.get_variable("c", initializer=values([2], 0.1), use_resource=True)
    e = tf1.get_variable("e", initializer=values([5, 3], 1.0), use_resource=True)
    rows = tf.gather(e, [1, 4, 1, 0])
    y = tf.tanh(tf.matmul(rows, w) + c)
    return [w, c, e], tf.reduce_mean(tf.math.squared_difference(y, values([4, 2], 0.9)))


class Raw:
    """An optimizer that TensorFlow only has as an op."""

    def __init__(self, op, slots, power=None, **numbers):
        self.op, self.slots, self.power, self.numbers = op, slots, power, numbers

    def minimize(self, loss, variables, global_step):
        updates, numbers = [], dict(self.numbers)
        if self.power:
            power = tf1.get_variable("power", initializer=np.float32(numbers["beta1"]), use_resource=True)
            numbers["beta1_power"] = power
        for v, g in zip(variables, tf1.gradients(loss, variables)):
            own = {s: tf1.get_variable(v.op.name + "/" + s, initializer=np.zeros(v.shape, np.float32), use_resource=True).handle
                   for s in self.slots}
            updates.append(getattr(tf.raw_ops, self.op)(var=v.handle, grad=tf.convert_to_tensor(g), **own, **numbers))
        with tf1.control_dependencies(updates):
            more = [global_step.assign_add(1)]
            if self.power:
                more.append(power.assign(power * numbers["beta1"]))
            return tf.group(*more)


def decayed(step):
    return tf1.train.exponential_decay(0.3, step, 3, 0.5, staircase=True)


T = tf1.train
OPTIMIZERS = {
    "gradient_descent": lambda s: T.GradientDescentOptimizer(0.3),
    "momentum": lambda s: T.MomentumOptimizer(0.2, 0.8),
    "nesterov": lambda s: T.MomentumOptimizer(0.2, 0.8, use_nesterov=True),
    "adagrad": lambda s: T.AdagradOptimizer(0.3),
    "adadelta": lambda s: T.AdadeltaOptimizer(1.0, epsilon=1e-3),
    "adam": lambda s: T.AdamOptimizer(0.1),
    "adam_clipped": lambda s: T.AdamOptimizer(0.1),
    "adam_decayed": lambda s: T.AdamOptimizer(decayed(s)),
    "adamax": lambda s: Raw("ResourceApplyAdaMax", ["m", "v"], power=True, lr=0.1, beta1=0.9, beta2=0.999, epsilon=1e-8),
    "rms_prop": lambda s: T.RMSPropOptimizer(0.05, momentum=0.5),
    "rms_prop_centered": lambda s: T.RMSPropOptimizer(0.05, momentum=0.5, centered=True),
    "ftrl": lambda s: T.FtrlOptimizer(0.3, l1_regularization_strength=0.001, l2_regularization_strength=0.01),
    "ftrl_shrinkage": lambda s: T.FtrlOptimizer(0.3, l2_shrinkage_regularization_strength=0.01),
    "proximal_gradient_descent": lambda s: T.ProximalGradientDescentOptimizer(0.3, 0.001, 0.01),
    "proximal_adagrad": lambda s: T.ProximalAdagradOptimizer(0.3, 0.1, 0.001, 0.01),
    "add_sign": lambda s: Raw("ResourceApplyAddSign", ["m"], lr=0.1, alpha=1.0, sign_decay=0.9, beta=0.9),
    "power_sign": lambda s: Raw("ResourceApplyPowerSign", ["m"], lr=0.1, logbase=1.0, sign_decay=0.9, beta=0.9),
}

recorded = {}
for name, make in OPTIMIZERS.items():
    with tf.Graph().as_default():
        variables, loss = model()
        step = T.create_global_step()
        optimizer = make(step)
        if isinstance(optimizer, Raw):
            train_op = optimizer.minimize(loss, variables, step)
        else:
            pairs = optimizer.compute_gradients(loss, variables)
            if name == "adam_clipped":
                gradients, _ = tf.clip_by_global_norm([g for g, _ in pairs], 0.05)
                pairs = list(zip(gradients, variables))
            train_op = optimizer.apply_gradients(pairs, step)
        average = T.ExponentialMovingAverage(0.9, step)
        with tf1.control_dependencies([train_op]):
            averaged = average.apply(variables)
        with tf1.Session() as session:
            session.run(tf1.global_variables_initializer())
            losses = []
            for _ in range(STEPS):
                losses.append(float(session.run(loss)))
                session.run(averaged)
            last, averages = session.run([variables, [average.average(v) for v in variables]])
            recorded[name] = dict(losses=losses, global_step=int(session.run(step)),
                                  variables=[v.ravel().tolist() for v in last],
                                  averages=[v.ravel().tolist() for v in averages])

decays = {
    "exponential": lambda s: T.exponential_decay(0.1, s, 10, 0.5),
    "exponential_staircase": lambda s: T.exponential_decay(0.1, s, 10, 0.5, staircase=True),
    "natural_exp": lambda s: T.natural_exp_decay(0.1, s, 10, 0.5),
    "inverse_time": lambda s: T.inverse_time_decay(0.1, s, 10, 0.5),
    "polynomial": lambda s: T.polynomial_decay(0.1, s, 20, 0.01, power=2.0),
    "cosine": lambda s: T.cosine_decay(0.1, s, 20, alpha=0.1),
    "piecewise": lambda s: T.piecewise_constant(s, [5, 12], [0.1, 0.05, 0.01]),
}
with tf.Graph().as_default():
    s = tf1.placeholder(tf.int64, [])
    rates = {name: make(s) for name, make in decays.items()}
    with tf1.Session() as session:
        found = [session.run(rates, {s: i}) for i in range(25)]
rates = {name: [float(f[name]) for f in found] for name in decays}
with open(os.path.join(HERE, "optimizers.json"), "w") as f:
    json.dump(dict(optimizers=recorded, decays=rates), f, indent=1)
    f.write("\n")
