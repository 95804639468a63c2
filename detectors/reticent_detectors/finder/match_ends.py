"""What a recogniser answers at a position, where it is not the end of a match."""

from __future__ import annotations

NONE = 0
"""No value begins there."""
OPEN = -1
"""More text could still lengthen or change what matches there."""
