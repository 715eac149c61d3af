"""Arrays from objects that other libraries export by DLPack."""

from __future__ import annotations

from typing import Any

import numpy as np


def array(value: Any) -> np.ndarray | None:
    """The array in the memory of ``value``, without copying; None if that is not host memory."""
    kind, _ = value.__dlpack_device__()
    # 1 is host memory, 3 host memory that a CUDA device can access too.
    return np.from_dlpack(value) if kind in (1, 3) else None
