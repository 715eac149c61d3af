"""Training: optimizers, input pipelines, savers, coordinators. Names and defaults are those of ``tf.compat.v1.train``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from levada._build import Operation, Output, ShapeLike, Value, Variable
from levada._levada import Coordinator, Saver

__all__ = [
    "AdadeltaOptimizer",
    "AdagradOptimizer",
    "AdaMaxOptimizer",
    "AdamOptimizer",
    "Coordinator",
    "FtrlOptimizer",
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "Optimizer",
    "RMSPropOptimizer",
    "Saver",
    "batch",
    "batch_join",
    "input_producer",
    "range_input_producer",
    "shuffle_batch",
    "shuffle_batch_join",
    "slice_input_producer",
    "string_input_producer",
]


class Optimizer:
    """Updates variables by their gradients."""

    _kind: ClassVar[str]

    def __init__(self, **numbers: Any) -> None:
        self._numbers = numbers

    def minimize(
        self,
        loss: Output,
        global_step: Variable | None = None,
        var_list: Iterable[Variable] = (),
        *,
        clip_norm: float | None = None,
        name: str | None = None,
    ) -> Operation:
        """A node that performs a training step: it updates variables to reduce ``loss``.

        Args:
            loss: the value to minimize.
            global_step: a counter that each step increments by 1.
            var_list: the variables to update; all trainable ones by default.
            clip_norm: gradients are scaled down together if their global norm exceeds this.
            name: the node's name.
        """
        graph = loss.graph
        numbers = {
            key: value.name if isinstance(value, Output) else float(value) for key, value in self._numbers.items()
        }
        made = graph._minimize(
            self._kind,
            numbers,
            loss=loss.name,
            variables=[variable.handle.name for variable in var_list],
            global_step=None if global_step is None else global_step.handle.name,
            clip_norm=clip_norm,
            name=name,
        )
        return Operation(graph, made)

    def __repr__(self) -> str:
        numbers = ", ".join(f"{key}={value!r}" for key, value in self._numbers.items())
        return f"{type(self).__name__}({numbers})"


class GradientDescentOptimizer(Optimizer):
    """Gradient descent."""

    _kind = "GradientDescent"

    def __init__(self, learning_rate: float | Output) -> None:
        super().__init__(learning_rate=learning_rate)


class MomentumOptimizer(Optimizer):
    """Gradient descent with momentum."""

    _kind = "Momentum"

    def __init__(
        self, learning_rate: float | Output, momentum: float | Output, *, use_nesterov: bool = False
    ) -> None:
        super().__init__(learning_rate=learning_rate, momentum=momentum, use_nesterov=use_nesterov)


class AdagradOptimizer(Optimizer):
    """Duchi et al., JMLR 2011."""

    _kind = "Adagrad"

    def __init__(self, learning_rate: float | Output, initial_accumulator_value: float = 0.1) -> None:
        super().__init__(learning_rate=learning_rate, initial_accumulator_value=initial_accumulator_value)


class AdadeltaOptimizer(Optimizer):
    """Zeiler, 2012."""

    _kind = "Adadelta"

    def __init__(self, learning_rate: float | Output = 0.001, rho: float = 0.95, epsilon: float = 1e-8) -> None:
        super().__init__(learning_rate=learning_rate, rho=rho, epsilon=epsilon)


class AdamOptimizer(Optimizer):
    """Kingma and Ba, ICLR 2015."""

    _kind = "Adam"

    def __init__(
        self, learning_rate: float | Output = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-8
    ) -> None:
        super().__init__(learning_rate=learning_rate, beta1=beta1, beta2=beta2, epsilon=epsilon)


class AdaMaxOptimizer(AdamOptimizer):
    """Adam with the maximum norm (Kingma and Ba, ICLR 2015)."""

    _kind = "AdaMax"


class RMSPropOptimizer(Optimizer):
    """Tieleman and Hinton, 2012."""

    _kind = "RMSProp"

    def __init__(
        self,
        learning_rate: float | Output,
        decay: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        *,
        centered: bool = False,
    ) -> None:
        super().__init__(
            learning_rate=learning_rate, decay=decay, momentum=momentum, epsilon=epsilon, centered=centered
        )


class FtrlOptimizer(Optimizer):
    """"Follow the regularized leader" (McMahan et al., KDD 2013)."""

    _kind = "Ftrl"

    def __init__(
        self,
        learning_rate: float | Output,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        l2_shrinkage_regularization_strength: float = 0.0,
    ) -> None:
        super().__init__(
            learning_rate=learning_rate,
            learning_rate_power=learning_rate_power,
            initial_accumulator_value=initial_accumulator_value,
            l1=l1_regularization_strength,
            l2=l2_regularization_strength,
            l2_shrinkage=l2_shrinkage_regularization_strength,
        )


def _batched(lists: Sequence[Any], **options: Any) -> Any:
    """Batches in the structure of the tensors: a dict for a dict, a single output for a single tensor."""
    keys = list(lists[0]) if isinstance(lists[0], dict) else None
    rows = [list(one.values()) if isinstance(one, dict) else [one] if isinstance(one, Output) else list(one) for one in lists]
    graph = rows[0][0].graph
    keep = options.pop("keep_input", None)
    if keep is not None:
        options["keep_input"] = graph.ops._name(keep, "bool")
    names = graph._batch([[tensor.name for tensor in row] for row in rows], options)
    made = [Output(graph, name) for name in names]
    if keys is not None:
        return dict(zip(keys, made))
    return made[0] if isinstance(lists[0], Output) else made


def batch(
    tensors: Any,
    batch_size: int,
    num_threads: int = 1,
    capacity: int = 32,
    *,
    enqueue_many: bool = False,
    shapes: Sequence[ShapeLike] | None = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    keep_input: Value | None = None,
    ordered: bool = False,
    name: str | None = None,
) -> Any:
    """Batches of ``tensors`` (one, a list or a dict), through a queue that a queue runner fills.

    Args:
        tensors: the results of one run of the pipeline.
        batch_size: number of elements in a batch.
        num_threads: how many runs of the pipeline enqueue concurrently.
        capacity: maximum number of elements in the queue.
        enqueue_many: the tensors are batches themselves, each row of which is an element.
        shapes: shapes of an element's tensors, if they cannot be inferred.
        dynamic_pad: let elements differ in shape and pad them with zeros.
        allow_smaller_final_batch: return the last elements even if they do not fill a batch.
        shared_name: name under which other sessions share the queue.
        keep_input: if this is false, an element is dropped.
        ordered: the same batches in the same order for any number of threads.
        name: name of the batch.
    """
    options = {key: value for key, value in locals().items() if key != "tensors"}
    return _batched([tensors], **options)


def shuffle_batch(
    tensors: Any,
    batch_size: int,
    capacity: int,
    min_after_dequeue: int,
    num_threads: int = 1,
    seed: int | None = None,
    *,
    enqueue_many: bool = False,
    shapes: Sequence[ShapeLike] | None = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    keep_input: Value | None = None,
    ordered: bool = False,
    name: str | None = None,
) -> Any:
    """As ``batch``, with at least ``min_after_dequeue`` elements in the queue to choose from."""
    options = {key: value for key, value in locals().items() if key != "tensors"}
    return _batched([tensors], shuffle=True, **options)


def batch_join(
    tensors_list: Sequence[Any],
    batch_size: int,
    capacity: int = 32,
    *,
    enqueue_many: bool = False,
    shapes: Sequence[ShapeLike] | None = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    keep_input: Value | None = None,
    ordered: bool = False,
    name: str | None = None,
) -> Any:
    """As ``batch``, for several pipelines, each with its own thread."""
    options = {key: value for key, value in locals().items() if key != "tensors_list"}
    return _batched(tensors_list, **options)


def shuffle_batch_join(
    tensors_list: Sequence[Any],
    batch_size: int,
    capacity: int,
    min_after_dequeue: int,
    seed: int | None = None,
    *,
    enqueue_many: bool = False,
    shapes: Sequence[ShapeLike] | None = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    keep_input: Value | None = None,
    ordered: bool = False,
    name: str | None = None,
) -> Any:
    """As ``shuffle_batch``, for several pipelines, each with its own thread."""
    options = {key: value for key, value in locals().items() if key != "tensors_list"}
    return _batched(tensors_list, shuffle=True, **options)


def _produced(kind: str, inputs: Sequence[Output], **options: Any) -> list[Output]:
    graph = inputs[0].graph
    options = {key: value for key, value in options.items() if value is not None}
    return [Output(graph, name) for name in graph._produce(kind, [one.name for one in inputs], options)]


def input_producer(
    input_tensor: Output,
    element_shape: ShapeLike | None = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> Output:
    """A queue of the rows of ``input_tensor``, endlessly or for a number of epochs; returns its handle.

    With ``num_epochs``, run ``graph.local_variables_initializer()`` first.
    """
    options = {key: value for key, value in locals().items() if key != "input_tensor"}
    return _produced("input", [input_tensor], **options)[0]


def string_input_producer(
    string_tensor: Output,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> Output:
    """A queue of strings, usually file names; returns its handle."""
    options = {key: value for key, value in locals().items() if key != "string_tensor"}
    return _produced("string", [string_tensor], **options)[0]


def range_input_producer(
    limit: Output,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> Output:
    """A queue of the integers from 0 up to but excluding ``limit``, an int32 scalar; returns its handle."""
    options = {key: value for key, value in locals().items() if key != "limit"}
    return _produced("range", [limit], **options)[0]


def slice_input_producer(
    tensor_list: Sequence[Output],
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> list[Output]:
    """The same row of each tensor, a different one in each run."""
    options = {key: value for key, value in locals().items() if key != "tensor_list"}
    return _produced("slice", tensor_list, **options)
