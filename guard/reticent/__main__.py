"""Runs the `reticent` command as `python -m reticent`."""

import sys

from .cli import main

sys.exit(main())
