"""The ``levada`` command."""

from __future__ import annotations

import signal
import sys

from levada import _levada


def main() -> int:
    """Runs the command with the program's arguments."""
    # The command handles Ctrl-C itself, as outside of Python.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _levada.command(["levada", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
