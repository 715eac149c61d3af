"""Exceptions: one class for each of TensorFlow's status codes."""

from __future__ import annotations

import json
from typing import Any

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15


class OpError(Exception):
    """An error of a graph or a run.

    ``str(error)`` is the full text; the attributes are its parts, each None if it does not apply:

    - ``code``: TensorFlow's status code, and ``code_name`` its name (``"INVALID_ARGUMENT"``)
    - ``message``: what is wrong, in a sentence
    - ``node`` and ``op``: the faulty node, and its op
    - ``attr``: the faulty attr
    - ``expected``, ``found``: what was expected, and what was found
    - ``help``: what to do
    - ``file``, ``line``, ``column``, ``path``: where in a file, and where in its structure (``node[12].attr.ksize``)
    - ``limit``: the limit that an untrusted graph exceeded
    - ``nan``: for a watched run, the origin of the first NaN, as a dict: ``node``, ``op``, ``first``, ``path`` and more, with the
      node's input arrays as ``inputs``, by name, and its output as ``result``
    - ``waiting``: for a deadlocked run, which node waits for what, as a dict
    - ``others``: further errors found in the same pass
    """

    code: int = UNKNOWN
    message: str
    node: str | None = None
    op: str | None = None
    attr: str | None = None
    expected: str | None = None
    found: str | None = None
    help: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    path: str | None = None
    limit: str | None = None
    nan: dict[str, Any] | None = None
    waiting: dict[str, Any] | None = None
    others: tuple[OpError, ...] = ()

    def __init__(self, message: str = "", **parts: Any) -> None:
        super().__init__(message)
        self.message = message
        self._text: str | None = None
        for name, value in parts.items():
            setattr(self, name, value)

    @property
    def code_name(self) -> str:
        return _NAMES[self.code]

    @property
    def _levada_code(self) -> int:
        return self.code

    def __str__(self) -> str:
        return self._text if self._text is not None else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), dict(self.__dict__))


def _restored(cls: type[OpError], state: dict[str, Any]) -> OpError:
    error = cls(state["message"])
    error.__dict__.update(state)
    return error


class CancelledError(OpError):
    """The run was cancelled, or the session or the queue was closed."""

    code = CANCELLED


class UnknownError(OpError):
    """An error that no other class fits."""

    code = UNKNOWN


class InvalidArgumentError(OpError):
    """A graph, feed, attr or input is wrong."""

    code = INVALID_ARGUMENT


class DeadlineExceededError(OpError):
    """The timeout passed."""

    code = DEADLINE_EXCEEDED


class NotFoundError(OpError):
    """A file, node or resource does not exist."""

    code = NOT_FOUND


class AlreadyExistsError(OpError):
    """A file, node or resource exists already."""

    code = ALREADY_EXISTS


class PermissionDeniedError(OpError):
    """The program did not grant this access: to files, or to functions that nodes call."""

    code = PERMISSION_DENIED


class ResourceExhaustedError(OpError):
    """Memory or another limit ran out."""

    code = RESOURCE_EXHAUSTED


class FailedPreconditionError(OpError):
    """The state does not allow this, for instance a variable without a value."""

    code = FAILED_PRECONDITION


class AbortedError(OpError):
    """The run was aborted, for instance because of a deadlock."""

    code = ABORTED


class OutOfRangeError(OpError):
    """Past the end, for instance of a closed queue."""

    code = OUT_OF_RANGE


class UnimplementedError(OpError):
    """Levada does not support this."""

    code = UNIMPLEMENTED


class InternalError(OpError):
    """A fault in Levada itself."""

    code = INTERNAL


class UnavailableError(OpError):
    """Currently not available."""

    code = UNAVAILABLE


class DataLossError(OpError):
    """Data was lost or is corrupt."""

    code = DATA_LOSS


_CLASSES: dict[int, type[OpError]] = {cls.code: cls for cls in OpError.__subclasses__()}
_NAMES: dict[int, str] = {
    value: name for name, value in list(globals().items()) if name.isupper() and isinstance(value, int)
}


def error_class(code: int) -> type[OpError]:
    """The class of errors with this status code."""
    return _CLASSES[code]


def _of(parts: list[dict[str, Any]], text: str) -> OpError:
    """The exception for an error: its parts, those of further errors, and the full text."""
    first, *others = (_part(part) for part in parts)
    first.others = tuple(others)
    first._text = text
    return first


def _part(part: dict[str, Any]) -> OpError:
    code, message, waiting, nan = (part.pop(name) for name in ("code", "message", "waiting", "nan"))
    if nan is not None:
        text, inputs, result = nan
        nan = {**json.loads(text), "inputs": inputs, "result": result}
        del nan["file"]
    return _CLASSES[code](message, waiting=waiting and json.loads(waiting), nan=nan, **part)
