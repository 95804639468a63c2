"""`python -m reticent`: the same as the `reticent` command."""

import sys

from .cli import main

sys.exit(main())
