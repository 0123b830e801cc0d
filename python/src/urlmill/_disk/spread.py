"""Counts how many keys of a file begin alike (src/seen/folder/spread.ts)."""

import math
from collections import Counter

from .._errors import SeenError
from .files import Data
from .plan import KEY

_BUCKETS = 1 << 16


class Spread:
    """Refuses keys that lie together, as those of a keyed hash do not: a table would take long for them."""

    def __init__(self, rows: float, name: str) -> None:
        """Take the number of rows of the whole file, `name`, which has each key once."""
        part = rows / _BUCKETS
        # Twelve standard deviations more than their part.
        self._most = part + 12 * math.sqrt(part) + 64
        self._name = name
        self._counts: Counter[int] = Counter()

    def add(self, keys: Data) -> None:
        """Take keys. Raise `SEEN_CORRUPT` if too many of them are for one place of a table."""
        first = bytearray(len(keys) // KEY * 2)
        # The last two bytes of a key choose its table, and first of all its place there.
        first[::2], first[1::2] = keys[KEY - 2 :: KEY], keys[KEY - 1 :: KEY]
        buckets = memoryview(first).cast("H")
        self._counts.update(buckets)
        if any(self._counts[bucket] > self._most for bucket in set(buckets)):
            raise SeenError(
                "SEEN_CORRUPT",
                f"{self._name} is damaged: too many of its fingerprints begin alike",
            )
