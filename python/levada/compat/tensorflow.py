"""Levada in the place of TensorFlow's sessions.

Programs go on building their graphs with TensorFlow; what runs them is Levada:

    import levada.compat.tensorflow as compat

    with compat.Session(graph=graph) as session:    # in place of tf.compat.v1.Session
        session.run(train_op, {x: batch})

    with compat.use():                              # every session that is made within
        main()

    python -m levada.compat.tensorflow script.py    # a script that stays as it is

A session here is a subclass of ``tf.compat.v1.Session``: default sessions, nested fetches, feeds of ``SparseTensor`` and the like, ``tf.compat.v1.train``,
``Saver``, queue runners and monitored sessions work as before. Errors are TensorFlow's classes with ``node_def`` and ``op``.
Functions that the program gave to ``py_func`` and ``py_function`` are called.

TensorFlow must be installed, as it builds the graph. Importing this module imports it.
"""

from __future__ import annotations

import contextlib
import itertools
import runpy
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.core.framework import graph_pb2
from tensorflow.core.protobuf import config_pb2
from tensorflow.python.client import session as tf_session
from tensorflow.python.framework import errors_impl, ops
from tensorflow.python.framework import tensor as tf_tensor
from tensorflow.python.ops import script_ops

import levada
from levada import errors

__all__ = ["InteractiveSession", "Session", "use"]

_BaseSession = tf_session.BaseSession


class _Runs:
    """What a session does with Levada: the methods that take the place of those of TensorFlow's ``BaseSession``."""

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
        self._plans: dict[Any, _Plan] = {}
        self._levada = levada.Session(levada.Graph(), **_options(config))

    def close(self) -> None:
        self._closed = True
        self._levada.close()

    def __del__(self) -> None:
        # TensorFlow's would delete a session of its own, which this one does not have.
        pass

    def list_devices(self) -> list[Any]:
        def attributes(name: str) -> Any:
            return tf_session._DeviceAttributes(name, name.rsplit("device:", 1)[-1].split(":")[0], 0, 0)

        return [attributes(name) for name in self._levada.devices]

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        if options is None and run_metadata is None and not self._closed:
            key = _key(fetches, feed_dict)
            plan = self._plans.get(key) if key is not None else None
            if plan is not None and self._graph.version == self._seen_version:
                feeds = plan.feeds(feed_dict)
                if feeds is not None:
                    return plan.build(self._call(plan.callable, *feeds))
            result = self._run(None, fetches, feed_dict, None, None)
            if key is not None and plan is None:
                self._prepare(key, fetches, feed_dict)
            return result
        return self._run(None, fetches, feed_dict, options, run_metadata)

    def _prepare(self, key: Any, fetches: Any, feed_dict: Mapping[Any, Any] | None) -> None:
        """Keeps what a run of this form needs, for the next one."""
        if len(self._plans) >= 1000:
            self._plans.clear()
        plan = _Plan.of(self._graph, fetches, list(feed_dict or ()))
        if plan is not None:
            plan.callable = self._levada.make_callable(plan.names, plan.feed_names)
            self._plans[key] = plan

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
            # Checked here, as TensorFlow does, and not at the first call.
            tf_session._FetchHandler(self._graph, fetches, {})
            return lambda *values: self.run(fetches, dict(zip(feeds, values)))
        plan.callable = self._call(self._levada.make_callable, plan.names, plan.feed_names)

        def prepared(*values: Any) -> Any:
            given = dict(zip(feeds, values))
            arrays = None if self._closed or len(values) != len(feeds) else plan.feeds(given)
            return self.run(fetches, given) if arrays is None else plan.build(self._call(plan.callable, *arrays))

        return prepared

    def _make_callable_from_options(self, callable_options: Any) -> Callable[..., Any]:
        self._extend_graph()
        fetches = [*callable_options.fetch, *callable_options.target]
        run = self._call(self._levada.make_callable, fetches, list(callable_options.feed))
        count = len(callable_options.fetch)

        def prepared(*values: Any, run_metadata: Any = None) -> list[Any]:
            return self._call(run, *values)[:count]

        return prepared

    def _do_run(
        self, handle: str | None, targets: Any, fetches: Any, feed_dict: Mapping[Any, Any], options: Any, run_metadata: Any
    ) -> list[Any]:
        feeds = {key.deref().name: value for key, value in feed_dict.items()}
        if handle is not None:
            if targets:
                raise RuntimeError(f"partial_run() takes no operations, but got {targets}")
            run = self._partial_runs.get(handle)
            if run is None:
                raise errors_impl.InvalidArgumentError(None, None, f"no partial run has the handle {handle!r}")
            values = self._call(self._levada.partial_run, run, [fetch.name for fetch in fetches], feeds)
            if run.is_over:
                self._partial_runs.pop(handle, None)
            return values
        self._extend_graph()
        # Operations are fetched behind the tensors: what has no value gives None, which is left out.
        wanted = [fetch.name for fetch in fetches] + [target.name for target in targets]
        if options is None and run_metadata is None:
            return self._call(self._levada.run, wanted, feeds)[: len(fetches)]
        traced = options is not None and options.trace_level > config_pb2.RunOptions.NO_TRACE
        timeout = options.timeout_in_ms / 1000 if options is not None and options.timeout_in_ms else None
        metadata = levada.RunMetadata()
        try:
            values = self._call(self._levada.run, wanted, feeds, levada.RunOptions(trace=traced, timeout=timeout), metadata)
        finally:
            if run_metadata is not None:
                run_metadata.Clear()
                if metadata.trace is not None:
                    _fill(run_metadata.step_stats, metadata.trace)
                if options is not None and options.output_partition_graphs:
                    run_metadata.partition_graphs.add().CopyFrom(self._graph.as_graph_def())
        return values[: len(fetches)]

    def _extend_graph(self) -> None:
        """Takes over what has been added to the graph."""
        if self._graph.version == self._seen_version:
            return
        with self._sync_lock, self._graph._lock:
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
            self._call(self._levada.extend, part.SerializeToString())
            self._seen_nodes += len(added)
            self._seen_version = version

    def _call(self, function: Callable[..., Any], *args: Any) -> Any:
        """Calls, and raises TensorFlow's exception in place of Levada's."""
        try:
            return function(*args)
        except errors.OpError as error:
            raise self._error(error) from error

    def _error(self, error: errors.OpError) -> errors_impl.OpError:
        op = node_def = None
        message = str(error) if error.waiting else error.message
        if error.code == errors.DEADLINE_EXCEEDED and not error.node:
            # TensorFlow's words, which programs look for.
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
    """A run that is prepared: what it takes and what it gives."""

    __slots__ = ("callable", "feed_names", "kept", "names", "one", "places", "specs", "type")

    callable: Callable[..., list[Any]]

    @staticmethod
    def of(graph: tf.Graph, fetches: Any, feeds: list[Any]) -> _Plan | None:
        """The plan of these; None where they are of kinds that TensorFlow's own code takes apart."""
        one = not isinstance(fetches, (list, tuple))
        wanted = [fetches] if one else list(fetches)
        if not one and type(fetches) not in (list, tuple):
            return None
        if not all(type(feed) is tf_tensor.Tensor or isinstance(feed, str) for feed in feeds):
            return None
        try:
            wanted = [graph.as_graph_element(fetch) if isinstance(fetch, str) else fetch for fetch in wanted]
            given = [graph.as_graph_element(feed, allow_operation=False) for feed in feeds]
        except (KeyError, ValueError, TypeError):
            return None
        if not all(type(fetch) in (tf_tensor.Tensor, ops.Operation) and fetch.graph is graph for fetch in wanted):
            return None
        plan = _Plan()
        plan.names = [fetch.name for fetch in wanted]
        plan.feed_names = [feed.name for feed in given]
        fed = set(plan.feed_names)
        if fed & set(plan.names) or not all(graph.is_feedable(feed) for feed in given):
            return None
        if not all(graph.is_fetchable(fetch) for fetch in wanted):
            return None
        if any(feed.dtype in (tf.resource, tf.variant) or feed.dtype._is_ref_dtype for feed in given):
            return None
        plan.kept = (fetches, feeds)
        plan.one = one
        plan.type = type(fetches)
        plan.specs = [
            (feed, np.dtype(tensor.dtype.as_numpy_dtype), tensor.shape.as_list() if tensor.shape.rank is not None else None)
            for feed, tensor in zip(feeds, given)
        ]
        return plan

    def feeds(self, feed_dict: Mapping[Any, Any] | None) -> list[Any] | None:
        """The values that are fed; None where TensorFlow's own code must look at them."""
        values = []
        for (_, dtype, shape), value in zip(self.specs, (feed_dict or {}).values()):
            if type(value) is not np.ndarray or value.dtype != dtype:
                if type(value) is not float and not isinstance(value, (np.ndarray, np.generic)):
                    return None
                value = np.asarray(value, dtype)
            if shape is not None:
                if len(shape) != value.ndim:
                    return None
                for expected, found in zip(shape, value.shape):
                    if expected is not None and expected != found:
                        return None
            values.append(value)
        return values

    def build(self, values: list[Any]) -> Any:
        return values[0] if self.one else self.type(values) if self.type is not list else values


def _key(fetches: Any, feed_dict: Any) -> Any:
    """What is equal for runs of one form while the objects it is made of are alive; None where that is not worth it."""
    if isinstance(fetches, (list, tuple)):
        what: Any = (type(fetches), *[fetch if type(fetch) is str else id(fetch) for fetch in fetches])
    else:
        what = fetches if type(fetches) is str else id(fetches)
    if not feed_dict:
        return what
    if type(feed_dict) is not dict:
        return None
    return what, *[feed if type(feed) is str else id(feed) for feed in feed_dict]


def _has_functions(graph: tf.Graph) -> bool:
    return bool(getattr(graph, "_functions", True))


def _options(config: Any) -> dict[str, Any]:
    """A session's options, of TensorFlow's ``ConfigProto``."""
    counts = {kind.lower(): count for kind, count in config.device_count.items()}
    counts.setdefault("cpu", 1)
    threads = config.intra_op_parallelism_threads or config.inter_op_parallelism_threads
    return {
        "devices": {kind: count for kind, count in counts.items() if count},
        "threads": max(threads, 0),
        "soft_placement": config.allow_soft_placement,
        "timeout": config.operation_timeout_in_ms / 1000 if config.operation_timeout_in_ms else None,
        "host_functions": _host_function,
        "files": "/",
    }


def _host_function(token: str) -> Callable[..., Any] | None:
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
        values = registry(token, None, list(arrays))
        # The registry makes arrays of what functions give, of None too.
        if values is None or (isinstance(values, np.ndarray) and values.ndim == 0 and values.item() is None):
            return []
        for value in values if isinstance(values, (list, tuple)) else [values]:
            _check(value)
        return values

    return plain


def _check(value: Any) -> None:
    """Raises TensorFlow's error for a result that no tensor holds."""
    dtype = getattr(value, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.names is not None:
        raise errors.InternalError(f"Unsupported numpy data type {dtype}")
    if isinstance(dtype, np.dtype) and dtype == object:
        for one in value.flat:
            if not isinstance(one, (str, bytes, np.generic)):
                raise errors.InternalError(f"Unsupported object type {type(one).__name__}")


def _fill(step_stats: Any, trace: levada.Trace) -> None:
    """TensorFlow's ``StepStats`` of a trace."""
    from google.protobuf import json_format

    json_format.Parse(trace.to_step_stats(), step_stats, ignore_unknown_fields=True)


class Session(_Runs, tf_session.Session):
    """Takes the place of ``tf.compat.v1.Session``.

    Args:
        target: must be empty: sessions are local.
        graph: a ``tf.Graph``; the default graph where it is None.
        config: a ``tf.compat.v1.ConfigProto``, of which ``device_count``, the numbers of threads, ``allow_soft_placement`` and
            ``operation_timeout_in_ms`` count.
    """

    def __init__(self, target: Any = "", graph: tf.Graph | None = None, config: Any = None) -> None:
        _Runs.__init__(self, target, graph, config)
        self._default_graph_context_manager = None
        self._default_session_context_manager = None


class InteractiveSession(_Runs, tf_session.InteractiveSession):
    """Takes the place of ``tf.compat.v1.InteractiveSession``."""

    def __init__(self, target: Any = "", graph: tf.Graph | None = None, config: Any = None) -> None:
        with use():
            tf_session.InteractiveSession.__init__(self, target, graph, config)

    def close(self) -> None:
        tf_session.InteractiveSession.close(self)


_REPLACED = [name for name in vars(_Runs) if callable(getattr(_Runs, name)) and name not in ("__init__", "_call", "_error", "_prepare")]
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
    """Sessions that are made within are Levada's, however the program makes them: by ``tf.compat.v1.Session``, in tests, in
    ``MonitoredTrainingSession`` and the like. Sessions that were there before stay TensorFlow's.
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
            # What was made within may be used longer than that: methods stay, only new sessions are TensorFlow's again.
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
    for name in ("_call", "_error", "_prepare"):
        setattr(_BaseSession, name, getattr(_Runs, name))


def _main(argv: list[str]) -> None:
    if not argv:
        sys.exit("usage: python -m levada.compat.tensorflow SCRIPT [ARGUMENT...]")
    sys.argv = argv
    with use():
        runpy.run_path(argv[0], run_name="__main__")


if __name__ == "__main__":
    # The module as it is imported elsewhere, and not this one, so that there is one of everything.
    from levada.compat.tensorflow import _main as main

    main(sys.argv[1:])
