"""Levada as a replacement for TensorFlow's sessions.

Programs still build their graphs with TensorFlow, and Levada runs them:

    import levada.compat.tensorflow as compat

    with compat.Session(graph=graph) as session:    # in place of tf.compat.v1.Session
        session.run(train_op, {x: batch})

    with compat.use():                              # every session that is made within
        main()

    python -m levada.compat.tensorflow script.py    # an unmodified script; -m for a module

A session here is a subclass of ``tf.compat.v1.Session``: default sessions, nested fetches, feeds of ``SparseTensor`` and the like, ``tf.compat.v1.train``,
``Saver``, queue runners and monitored sessions work as before. Errors are TensorFlow's classes with ``node_def`` and ``op``.
Functions that the program gave to ``py_func`` and ``py_function`` are called.

TensorFlow must be installed, as it builds the graph. Importing this module imports it.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import runpy
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.core.framework import graph_pb2, resource_handle_pb2
from tensorflow.core.protobuf import config_pb2
from tensorflow.python.client import session as tf_session
from tensorflow.python.framework import dtypes, errors_impl, ops
from tensorflow.python.framework import tensor as tf_tensor
from tensorflow.python.ops import script_ops, session_ops

import levada
from levada import errors

__all__ = ["InteractiveSession", "Session", "use"]

_BaseSession = tf_session.BaseSession


class _Runs:
    """A session run by Levada: the methods that replace those of TensorFlow's ``BaseSession``."""

    _levada: levada.Session

    def __init__(self, target: Any = "", graph: tf.Graph | None = None, config: Any = None) -> None:
        if graph is not None and not isinstance(graph, ops.Graph):
            raise TypeError(f"Argument `graph` must be a tf.Graph, but got {type(graph).__name__!r}")
        if target is not None and not isinstance(target, (str, bytes)):
            hint = "; did you mean `config=`?" if isinstance(target, config_pb2.ConfigProto) else ""
            raise TypeError(f"Argument `target` must be a string, but got {type(target).__name__!r}{hint}")
        if config is not None and not isinstance(config, config_pb2.ConfigProto):
            raise TypeError(f"Argument `config` must be a tf.ConfigProto, but got {type(config).__name__!r}")
        if target:
            raise errors_impl.UnimplementedError(None, None, f"sessions of the server {target!r}: only local ones run")
        self._graph = ops.get_default_graph() if graph is None else graph
        self._closed = False
        self._target = b""
        self._session = None
        self._config = config = config_pb2.ConfigProto() if config is None else config
        self._add_shapes = config.graph_options.infer_shapes
        self._delete_lock = threading.Lock()
        self._dead_handles: list[Any] = []
        self._sync_lock = threading.Lock()
        self._seen_version = self._seen_nodes = 0
        self._seen_functions: set[str] = set()
        self._partial_runs: dict[str, levada.PartialRun] = {}
        # By the form of runs: None after the first run, False if TensorFlow's own code has to process each.
        self._plans: dict[Any, _Plan | bool | None] = {}
        self._sent_outputs: dict[str, int] = {}
        self._levada = levada.Session(levada.Graph(), **_options(config))

    def close(self) -> None:
        self._closed = True
        self._levada.close()

    def __del__(self) -> None:
        # TensorFlow's version would delete its own session, which does not exist here.
        pass

    def list_devices(self) -> list[Any]:
        def attributes(name: str) -> Any:
            return tf_session._DeviceAttributes(name, name.rsplit("device:", 1)[-1].split(":")[0], 0, 0)

        return [attributes(name) for name in self._levada.devices]

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        if options is None and run_metadata is None and self._graph.version == self._seen_version:
            key = _key(fetches, feed_dict)
            plan = self._plans.get(key)
            if plan is None and key is not None:
                plan = self._prepare(key, fetches, feed_dict)
            if plan and not self._closed:
                feeds = plan.feeds(feed_dict.values()) if feed_dict else ()
                if feeds is not None:
                    try:
                        values = plan.call(*feeds)
                    except errors.OpError as error:
                        return self._fail(error)
                    return values if plan.build is None else plan.build(values)
        return self._run(None, fetches, feed_dict, options, run_metadata)

    def _prepare(self, key: Any, fetches: Any, feed_dict: Mapping[Any, Any] | None) -> _Plan | None:
        """The plan of runs of this form, from the second one on; the first is processed by TensorFlow's own code."""
        if key not in self._plans:
            if len(self._plans) >= 1000:
                self._plans.clear()
            self._plans[key] = None
            return None
        plan = _Plan.of(self._graph, fetches, list(feed_dict or ()))
        if plan is not None:
            plan.prepare(self)
        self._plans[key] = plan or False
        return plan

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> str:
        def names(feed: Any) -> Iterator[str]:
            for tensor_type, _, _, feed_fn in tf_session._REGISTERED_EXPANSIONS:
                if isinstance(feed, tensor_type):
                    for one in feed_fn(feed):
                        yield self._graph.as_graph_element(one, allow_operation=False).name
                    return
            raise TypeError(f"Feed argument {feed} has invalid type {type(feed).__name__!r}")

        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if self._graph.version == 0:
            raise RuntimeError("The Session graph is empty. Add operations to the graph before calling run().")
        given = [name for feed in (feeds if isinstance(feeds, (list, tuple)) else [feeds] if feeds is not None else []) for name in names(feed)]
        handler = tf_session._FetchHandler(self._graph, fetches, {})
        wanted = [one.name for one in (*handler.fetches(), *handler.targets())]
        self._extend_graph()
        run = self._call(self._levada.partial_run_setup, wanted, given)
        handle = f"partial_run_{next(_HANDLES)}"
        self._partial_runs[handle] = run
        return handle

    def make_callable(self, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Callable[..., Any]:
        if feed_list is not None and not isinstance(feed_list, (list, tuple)):
            raise TypeError(f"Argument `feed_list` must be a list or tuple, but got {feed_list!r}")
        feeds = list(feed_list or ())
        if accept_options:
            return lambda *values, **kwargs: self.run(fetches, dict(zip(feeds, values)), **kwargs)
        self._extend_graph()
        plan = _Plan.of(self._graph, fetches, feeds)
        if plan is None:
            # Checked here, as in TensorFlow, and not at the first call.
            tf_session._FetchHandler(self._graph, fetches, {})
            return lambda *values: self.run(fetches, dict(zip(feeds, values)))
        plan.prepare(self)
        count, call, build = len(feeds), plan.call, plan.build

        def prepared(*values: Any) -> Any:
            arrays = None if self._closed or len(values) != count else plan.feeds(values)
            if arrays is None:
                return self.run(fetches, dict(zip(feeds, values)))
            try:
                results = call(*arrays)
            except errors.OpError as error:
                return self._fail(error)
            return results if build is None else build(results)

        return prepared

    def _make_callable_from_options(self, callable_options: Any) -> Callable[..., Any]:
        self._extend_graph()
        fetches = [*callable_options.fetch, *(f"^{target}" for target in callable_options.target)]
        run = self._call(self._levada.make_callable, fetches, list(callable_options.feed), True)
        count = len(callable_options.fetch)

        def prepared(*values: Any, run_metadata: Any = None) -> list[Any]:
            def call(*observed: Any) -> list[Any]:
                return run(*values, **dict(zip(("options", "run_metadata"), observed)))

            return _plain(self._observed(call, callable_options.run_options, run_metadata)[:count])

        return prepared

    def _do_run(
        self, handle: str | None, targets: Any, fetches: Any, feed_dict: Mapping[Any, Any], options: Any, run_metadata: Any
    ) -> list[Any]:
        feeds = {key.deref().name: self._held(key.deref(), value) for key, value in feed_dict.items()}
        if handle is not None:
            if targets:
                raise RuntimeError(f"partial_run() takes no operations, but got {targets}")
            run = self._partial_runs.get(handle)
            if run is None:
                raise errors_impl.InvalidArgumentError(None, None, f"no partial run has the handle {handle!r}")
            values = self._call(self._levada.partial_run, run, [fetch.name for fetch in fetches], feeds)
            if run.is_over:
                self._partial_runs.pop(handle, None)
            return _plain(values)
        self._extend_graph()
        # Operations are fetched behind the tensors; their value is None, which is dropped.
        wanted = [fetch.name for fetch in fetches] + [f"^{target.name}" for target in targets]
        values = self._observed(lambda *observed: self._levada.run(wanted, feeds, *observed), options, run_metadata)
        return _plain(values[: len(fetches)])

    def _held(self, tensor: Any, value: Any) -> Any:
        """The value to feed: a handle of a value that the session holds stands for that value."""
        if not isinstance(value, np.ndarray) or value.dtype != dtypes.np_resource:
            return value
        handle = resource_handle_pb2.ResourceHandleProto.FromString(value.tobytes()).name
        holder, reader = session_ops._get_handle_reader(self._graph, handle, tensor.dtype)
        return self.run(reader, {holder: handle})

    def _observed(self, run: Callable[..., list[Any]], options: Any, run_metadata: Any) -> list[Any]:
        """Calls `run` with those of TensorFlow's options that Levada supports, and fills in TensorFlow's metadata."""
        if options is None and run_metadata is None:
            return self._call(run)
        traced = options is not None and options.trace_level > config_pb2.RunOptions.NO_TRACE
        timeout = options.timeout_in_ms / 1000 if options is not None and options.timeout_in_ms else None
        metadata = levada.RunMetadata()
        try:
            return self._call(run, levada.RunOptions(trace=traced, timeout=timeout), metadata)
        finally:
            if run_metadata is not None:
                run_metadata.Clear()
                if metadata.trace is not None:
                    _fill(run_metadata.step_stats, metadata.trace)
                    if not run_metadata.step_stats.dev_stats:
                        # There was nothing left to compute.
                        run_metadata.step_stats.dev_stats.add(device=self._levada.devices[0])
                if options is not None and options.output_partition_graphs:
                    run_metadata.partition_graphs.add().CopyFrom(self._graph.as_graph_def())

    def _extend_graph(self) -> None:
        """Adopts the additions to the graph."""
        if self._graph.version == self._seen_version:
            return
        # The graph does not change meanwhile, as by a loop under construction.
        with self._sync_lock, self._graph._session_run_lock(), self._graph._lock:
            version = self._graph.version
            added = self._graph.get_operations()[self._seen_nodes :]
            part = graph_pb2.GraphDef(versions=self._graph.graph_def_versions)
            part.node.extend(op.node_def for op in added)
            functions = self._graph.as_graph_def().library if _has_functions(self._graph) else None
            if functions is not None:
                new = [f for f in functions.function if f.signature.name not in self._seen_functions]
                part.library.function.extend(new)
                if new:
                    part.library.gradient.extend(functions.gradient)
                self._seen_functions.update(f.signature.name for f in new)
            try:
                self._levada.extend(part.SerializeToString())
            except errors.OpError as error:
                changed = self._changed(added)
                if changed is not None:
                    raise changed from error
                self._fail(error)
            self._sent_outputs.update((op.name, len(op.outputs)) for op in added)
            self._seen_nodes += len(added)
            self._seen_version = version
        if self._config.log_device_placement:
            for name, node in self._levada.placement().nodes.items():
                print(f"{name}: ({node['op']}): {node['device']}", file=sys.stderr)

    def _changed(self, added: list[Any]) -> errors_impl.OpError | None:
        """TensorFlow's error for an input from an output that was added to a node after the session adopted it."""
        for op in added:
            for tensor in op.inputs:
                count = self._sent_outputs.get(tensor.op.name)
                if count is not None and tensor.value_index >= count:
                    return errors_impl.InvalidArgumentError(
                        op.node_def,
                        op,
                        f"Node '{op.name}': Connecting to invalid output {tensor.value_index} of source node {tensor.op.name} which has "
                        f"{count} outputs. Try using tf.compat.v1.experimental.output_all_intermediates(True).",
                    )
        return None

    def _call(self, function: Callable[..., Any], *args: Any) -> Any:
        """Calls, and raises TensorFlow's exception in place of Levada's."""
        try:
            return function(*args)
        except errors.OpError as error:
            return self._fail(error)

    def _fail(self, error: errors.OpError) -> Any:
        """Raises TensorFlow's exception from the same place as TensorFlow's sessions, since programs inspect tracebacks too."""

        def fail() -> None:
            raise self._error(error) from error

        return _BaseSession._do_call(self, fail)

    def _error(self, error: errors.OpError) -> errors_impl.OpError:
        op = node_def = None
        message = str(error) if error.waiting else error.message
        found = [f"{what} {part}" for what, part in (("expected", error.expected), ("found", error.found)) if part]
        if found and not error.waiting:
            message = f"{message}: {', '.join(found)}"
        if error.code == errors.DEADLINE_EXCEEDED and not error.node:
            # TensorFlow's message, which programs match.
            message = f"Timed out waiting for notification: {message}"
        if error.node:
            with contextlib.suppress(KeyError, ValueError):
                op = self._graph.get_operation_by_name(error.node)
                node_def = op.node_def
            message = f"{message}\n\t [[{{{{node {error.node}}}}}]]"
        cls = errors_impl.exception_type_from_error_code(error.code)
        return cls(node_def, op, message)


_HANDLES = itertools.count()


class _Plan:
    """A prepared run: its feeds and fetches."""

    __slots__ = ("build", "call", "feed_names", "kept", "names", "specs")

    #: Takes the fed values in order.
    call: Callable[..., Any]
    #: Makes the result from the return value of `call`, if they differ.
    build: Callable[[Any], Any] | None

    @staticmethod
    def of(graph: tf.Graph, fetches: Any, feeds: list[Any]) -> _Plan | None:
        """The plan of these; None for kinds that TensorFlow's own code has to process."""
        if not all(isinstance(feed, (tf_tensor.Tensor, str)) for feed in feeds):
            return None
        try:
            handler = tf_session._FetchHandler(graph, fetches, {})
            given = [graph.as_graph_element(feed, allow_operation=False) for feed in feeds]
        except (KeyError, ValueError, TypeError):
            return None
        tensors, targets = handler.fetches(), handler.targets()
        fed = {feed.name for feed in given}
        if handler._fetch_handles or any(tensor.name in fed or tensor.dtype.is_quantized or tensor.dtype == tf.resource for tensor in tensors):
            return None
        for feed in given:
            if not graph.is_feedable(feed) or feed.dtype in (tf.resource, tf.variant) or feed.dtype._is_ref_dtype:
                return None
        plan = _Plan()
        elements = fetches if type(fetches) in (list, tuple) else [fetches]
        # Their addresses identify the form of a run, so they have to stay alive.
        plan.kept = (_leaves(fetches), feeds)
        plan.feed_names = [feed.name for feed in given]
        plan.specs = [
            (np.dtype(feed.dtype.as_numpy_dtype), feed.dtype in (tf.float32, tf.float64), _dims(feed.shape)) for feed in given
        ]
        if all(isinstance(element, (tf_tensor.Tensor, ops.Operation, str)) for element in elements):
            found = [graph.as_graph_element(element) for element in elements]
            names = [f"^{one.name}" if isinstance(one, ops.Operation) else one.name for one in found]
            plan.names = names[0] if elements is not fetches else type(fetches)(names)
            plan.build = None
        else:
            count = len(tensors)
            plan.names = [*(tensor.name for tensor in tensors), *(f"^{target.name}" for target in targets)]
            plan.build = lambda values: handler.build_results(None, values[:count])
        return plan

    def prepare(self, session: _Runs) -> None:
        self.call = session._call(session._levada.make_callable, self.names, self.feed_names)

    def feeds(self, given: Iterable[Any]) -> list[Any] | None:
        """The fed values; None if TensorFlow's own code must process them."""
        values = []
        for (dtype, is_float, shape), value in zip(self.specs, given):
            kind = type(value)
            if kind is float and is_float and not shape:
                values.append(value)
                continue
            if kind is not np.ndarray or value.dtype != dtype:
                if kind not in _FED and not isinstance(value, np.generic):
                    return None
                try:
                    array = np.asarray(value, dtype)
                except Exception:
                    return None
                if kind is int and array != value:
                    return None
                value = array
            if shape is not None and value.shape != shape:
                if len(shape) != value.ndim:
                    return None
                for expected, found in zip(shape, value.shape):
                    if expected is not None and expected != found:
                        return None
            values.append(value)
        return values


#: Types of values that a run feeds without TensorFlow's own code.
_FED = frozenset({np.ndarray, bool, bytes, float, int, list, str, tuple})


def _dims(shape: tf.TensorShape) -> tuple[int | None, ...] | None:
    return None if shape.rank is None else tuple(shape.as_list())


def _leaves(fetches: Any) -> list[Any]:
    """The fetches, flattened from lists, tuples and dicts."""
    if isinstance(fetches, (list, tuple)):
        return [leaf for one in fetches for leaf in _leaves(one)]
    if type(fetches) is dict:
        return [leaf for one in fetches.values() for leaf in _leaves(one)]
    return [fetches]


def _handle(tensor: levada.Tensor) -> np.ndarray[Any, Any]:
    """The handle of a resource as TensorFlow returns it: the bytes of a proto. TensorFlow cannot feed them."""
    proto = resource_handle_pb2.ResourceHandleProto(name=repr(tensor))
    return np.frombuffer(proto.SerializeToString(), dtypes.np_resource)


def _plain(values: list[Any]) -> list[Any]:
    """Values as TensorFlow returns them: quantized integers are integers, handles arrays of bytes."""
    return [
        _handle(value) if isinstance(value, levada.Tensor) and value.dtype == "resource" else _integers(value)
        for value in values
    ]


def _integers(value: Any) -> Any:
    dtype = getattr(value, "dtype", None)
    if not isinstance(dtype, np.dtype) or dtype.names is None:
        return value
    return value.view(dtype[0]) if isinstance(value, np.ndarray) else value[0]


def _key(fetches: Any, feed_dict: Any) -> Any:
    """A key that is equal for runs of the same form while its objects are alive; None if that is not worthwhile."""
    what = _form(fetches)
    if not feed_dict:
        return what
    if type(feed_dict) is not dict or what is None:
        return None
    return (what, *[feed if type(feed) is str else id(feed) for feed in feed_dict])


def _form(fetches: Any) -> Any:
    kind = type(fetches)
    if kind is str:
        return fetches
    if kind is list or kind is tuple:
        form = (kind, *[_form(fetch) for fetch in fetches])
    elif kind is dict:
        form = (kind, *[key if type(key) is str else None for key in fetches], *[_form(fetch) for fetch in fetches.values()])
    else:
        # Objects of other classes may be mutable.
        return id(fetches) if isinstance(fetches, _UNCHANGING) else None
    return None if None in form else form


#: Types of fetches that are immutable.
_UNCHANGING = (tf_tensor.Tensor, ops.Operation, tf.Variable, tf.SparseTensor, tf.IndexedSlices)


def _has_functions(graph: tf.Graph) -> bool:
    return bool(getattr(graph, "_functions", True))


def _options(config: Any) -> dict[str, Any]:
    """A session's options from TensorFlow's ``ConfigProto``."""
    counts = {kind.lower(): count for kind, count in config.device_count.items()}
    counts.setdefault("cpu", 1)
    threads = config.intra_op_parallelism_threads or config.inter_op_parallelism_threads
    return {
        "devices": {kind: count for kind, count in counts.items() if count},
        "threads": max(threads, 0),
        "soft_placement": config.allow_soft_placement,
        "timeout": config.operation_timeout_in_ms / 1000 if config.operation_timeout_in_ms else None,
        "host_functions": host_function,
        "files": "/",
    }


def host_function(token: str) -> Callable[..., Any] | None:
    """The function that the program registered by ``py_func`` or ``py_function``."""
    registry = script_ops._py_funcs
    function = registry._funcs.get(token)
    if function is None:
        return None
    if isinstance(function, script_ops.EagerFunc):
        from tensorflow.python.eager import context

        def eager(*arrays: Any) -> Any:
            with context.eager_mode():
                values = registry(token, None, [tf.convert_to_tensor(array) for array in arrays])
                if values is None:
                    return []
                if isinstance(values, (list, tuple)):
                    return [None if value is None else value.numpy() for value in values]
                return values.numpy()

        return eager

    def plain(*arrays: Any) -> Any:
        values = registry(token, None, _plain(list(arrays)))
        # The registry makes arrays of the functions' results, including None.
        if values is None or (isinstance(values, np.ndarray) and values.ndim == 0 and values.item() is None):
            return []
        for value in values if isinstance(values, (list, tuple)) else [values]:
            _check(value)
        return values

    return plain


def _check(value: Any) -> None:
    """Raises TensorFlow's error for a result that a tensor cannot hold."""
    dtype = getattr(value, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.names is not None:
        raise errors.InternalError(f"Unsupported numpy data type {dtype}")
    if isinstance(dtype, np.dtype) and dtype == object:
        for one in value.flat:
            if not isinstance(one, (str, bytes, np.generic)):
                raise errors.InternalError(f"Unsupported object type {type(one).__name__}")


def _fill(step_stats: Any, trace: levada.Trace) -> None:
    """TensorFlow's ``StepStats`` for a trace."""
    from google.protobuf import json_format

    json_format.Parse(trace.to_step_stats(), step_stats, ignore_unknown_fields=True)


class Session(_Runs, tf_session.Session):
    """Replaces ``tf.compat.v1.Session``.

    Args:
        target: must be empty: sessions are local.
        graph: a ``tf.Graph``; None for the default graph.
        config: a ``tf.compat.v1.ConfigProto``; only ``device_count``, the numbers of threads, ``allow_soft_placement``,
            ``operation_timeout_in_ms`` and ``log_device_placement`` have an effect.
    """

    def __init__(self, target: Any = "", graph: tf.Graph | None = None, config: Any = None) -> None:
        _Runs.__init__(self, target, graph, config)
        self._default_graph_context_manager = None
        self._default_session_context_manager = None


class InteractiveSession(_Runs, tf_session.InteractiveSession):
    """Replaces ``tf.compat.v1.InteractiveSession``."""

    def __init__(self, target: Any = "", graph: tf.Graph | None = None, config: Any = None) -> None:
        with use():
            tf_session.InteractiveSession.__init__(self, target, graph, config)

    def close(self) -> None:
        tf_session.InteractiveSession.close(self)


# Methods without a counterpart in TensorFlow's sessions.
_OWN = ("__init__", "_call", "_changed", "_error", "_fail", "_held", "_observed", "_prepare")
_REPLACED = [name for name in vars(_Runs) if callable(getattr(_Runs, name)) and name not in _OWN]
_USE_LOCK = threading.RLock()
_uses = 0


def _dispatching(name: str, theirs: Any) -> Callable[..., Any]:
    ours = getattr(_Runs, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return (ours if "_levada" in self.__dict__ else theirs)(self, *args, **kwargs)

    method.__name__ = name
    return method


@contextlib.contextmanager
def use() -> Iterator[None]:
    """Makes all sessions created within Levada's, however the program creates them: by ``tf.compat.v1.Session``, in tests, in
    ``MonitoredTrainingSession`` and the like. Existing sessions stay TensorFlow's.
    """
    global _uses
    with _USE_LOCK:
        _uses += 1
        if _uses == 1:
            _install()
    try:
        yield
    finally:
        with _USE_LOCK:
            _uses -= 1
            # Sessions created within may be used longer: their methods stay, only new sessions are TensorFlow's again.
            if _uses == 0:
                _BaseSession.__init__ = _theirs_init


_theirs_init = _BaseSession.__init__
_installed = False


def _install() -> None:
    global _installed
    _BaseSession.__init__ = _Runs.__init__
    if _installed:
        return
    _installed = True
    for name in _REPLACED:
        setattr(_BaseSession, name, _dispatching(name, getattr(_BaseSession, name, None)))
    for name in _OWN[1:]:
        setattr(_BaseSession, name, getattr(_Runs, name))


def _main(argv: list[str]) -> None:
    if not argv:
        sys.exit("usage: python -m levada.compat.tensorflow SCRIPT [ARGUMENT...], or -m MODULE [ARGUMENT...]")
    with use():
        if argv[0] == "-m" and len(argv) > 1:
            sys.argv = argv[1:]
            runpy.run_module(argv[1], run_name="__main__", alter_sys=True)
            return
        sys.argv = argv
        # As when Python runs the script: it may import modules beside it.
        sys.path[0] = os.path.dirname(os.path.realpath(argv[0]))
        runpy.run_path(argv[0], run_name="__main__")


if __name__ == "__main__":
    # The module as imported elsewhere, not this one, so that its state exists once.
    from levada.compat.tensorflow import _main as main

    main(sys.argv[1:])
