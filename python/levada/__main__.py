"""``python -m levada`` is the ``levada`` command."""

import sys

from levada._command import main

sys.exit(main())
