"""Arrays of what other libraries export by DLPack."""

from __future__ import annotations

from typing import Any

import numpy as np


def array(value: Any) -> np.ndarray | None:
    """The array in the memory of ``value``, without copying; None for what is not in the host's memory."""
    kind, _ = value.__dlpack_device__()
    # 1 is the host's memory, 3 that of the host which a CUDA device can reach too.
    return np.from_dlpack(value) if kind in (1, 3) else None
