"""How the memory of a set is divided, as src/seen/disk/kernel/memory-plan.ts does it."""

import math

KEY = 10
"""Bytes of a key."""
FINGERPRINT = 16
"""Bytes of a fingerprint."""
ROW = 13
"""Bytes of a row that waits."""
GROUP_ROWS = 1 << 16
"""The most rows of a group."""
GROUP = 1032 + GROUP_ROWS * ROW
"""Bytes of a group."""
PLACE = 9
"""Bytes of a place of a table."""
LINE = 64
"""Bytes of a line of a filter."""
BLOCK = 4096
"""Bytes of a block."""
ENTRY = 8
"""Bytes of an entry of an index."""
PARTITIONS = 256
WINDOW = 1 << 20
"""Bytes that are read or written at a time."""
BATCH = 1 << 16
"""Keys that one call answers at most."""
LEAST_MEMORY = 1 << 24
"""Least memory of a set in bytes."""
COUNTERS = 1 << 22
"""Bytes of the counters for sorting, which also take bits of rows."""

MOST_BLOCKS = 1 << 19
"""The most blocks of a file, for whose entries there is room."""
MOST_LINES = 1 << 18
"""The most lines of a filter, whatever memory a set was opened with."""

_MOST_MEMORY = (1 << 32) - (1 << 26)
_INDEX = MOST_BLOCKS * ENTRY
_FIRST_PLACES = 64
_FULL = 0.75


class MemoryPlan:
    """Says where each region of the memory begins, and how large those are that vary.

    `blocks`: those of the largest file. Its index has twice its room, so that it may grow. Filters have what is left.
    """

    def __init__(self, start: int, memory: int, is_immediate: bool, blocks: int) -> None:
        budget = min(memory, _MOST_MEMORY)
        self._end = start
        table_bytes = budget // 5 if is_immediate else PARTITIONS * _FIRST_PLACES * PLACE
        self.first_places = _FIRST_PLACES
        self.most_places = table_bytes // PARTITIONS // PLACE
        self.most_groups = max(2, int(budget * (0.06 if is_immediate else 0.9)) // GROUP)
        indexed = min(budget // 2 // PARTITIONS, 2 * blocks * ENTRY)
        room = max(budget // 25 // PARTITIONS, indexed) if is_immediate else 0
        self.index_bytes = room // ENTRY * ENTRY
        self.filter_bytes = (int(budget * 0.64) // PARTITIONS - room) & ~63 if is_immediate else 0
        waiting = self.most_groups * GROUP_ROWS + keys_of_places(self.most_places)
        # A partition has more than its part by chance, and small ones by much.
        self.most_rows = math.ceil(1.1 * waiting / PARTITIONS) + 4096
        take = self._take
        # Windows, with bytes of waste after them.
        self.input = take(WINDOW + BLOCK)
        self.output = take(WINDOW + BLOCK)
        # One batch: its fingerprints, keys, row numbers, answers, and the blocks to read.
        self.fingerprints = take(BATCH * FINGERPRINT)
        self.keys = take(BATCH * KEY)
        self.numbers = take(BATCH * 4)
        self.answers = take(BATCH)
        self.found = take(BATCH * 8)
        # Keys that are not a whole group yet, and their row numbers.
        self.open_keys = take(GROUP_ROWS * KEY)
        self.open_numbers = take(GROUP_ROWS * 4)
        self.finders = take(PARTITIONS * 16)
        self.counts = take(PARTITIONS * 4)
        # Rows of one partition, and the same sorted; counters, the numbers of new rows, the index.
        self.rows = take(self.most_rows * ROW)
        self.sorted = take(self.most_rows * ROW)
        self.counters = take(COUNTERS)
        self.fresh = take(self.most_rows * 4)
        self.index = take(_INDEX)
        self.indexes = take(self.index_bytes * PARTITIONS)
        self.filters = take(self.filter_bytes * PARTITIONS)
        self.tables = take(table_bytes)
        self.groups = self._end

    def _take(self, length: int) -> int:
        begin = self._end
        self._end += (length // 64 + 2) * 64
        return begin


def keys_of_places(places: int) -> int:
    """Return how many keys tables of this many places may hold."""
    return int(_FULL * places * PARTITIONS)
