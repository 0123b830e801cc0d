"""What is not in the partitions yet, in the memory of the kernel (src/seen/disk/pending.ts)."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .files import Data
from .kernel import DiskKernel
from .plan import FINGERPRINT, GROUP, GROUP_ROWS, KEY, PARTITIONS, ROW, MemoryPlan, keys_of_places

_NOBODY = b"\xff\xff\xff\xff"
"""The number of a row for which nobody waits."""

_FULL_BY_LOGS = 0.85
"""How full logs may make tables: one table gets more than its part by chance."""


class LoggedRows(NamedTuple):
    """Holds rows that a log has."""

    keys: Data
    status: "bytes | None"
    """The status of each row; None if all are URLs."""
    first: "int | None"
    """The number of the first row; None if the rows were answered."""
    merged: Sequence[int]
    """The partitions that have the rows of the log."""


class Pending:
    """Holds tables of keys that were answered, and groups of rows that wait."""

    def __init__(self, kernel: DiskKernel, plan: MemoryPlan) -> None:
        self._kernel = kernel
        self._plan = plan
        kernel.reserve_to(plan.groups)
        self.clear()

    def clear(self) -> None:
        """Forget all."""
        plan = self._plan
        self._places = plan.first_places
        self._kernel.setTables(plan.tables, self._places, plan.counts)
        self._groups = 0
        self._open = 0
        """Rows of the group that is not whole."""
        # Keys that were left out of the batches of a log. They count as if they were there: without them, the
        # partitions that a merge has not come to would get more than their part of all rows.
        self._left_out = 0

    @property
    def table_keys(self) -> int:
        """Count the keys in tables."""
        return self._kernel.number("keysInTables")

    @property
    def group_rows(self) -> int:
        """Count all rows in groups."""
        return self._groups * GROUP_ROWS + self._open

    @property
    def is_empty(self) -> bool:
        """Say whether nothing is there."""
        return self.table_keys + self.group_rows + self._left_out == 0

    @property
    def most_keys_of_log(self) -> int:
        """Count the keys of a log that has room, wherever they go."""
        return self._plan.most_groups * GROUP_ROWS // 2

    def has_room_for_log(self, keys: float, is_for_tables: bool) -> bool:
        """Say whether a log of so many keys that were answered fits, into tables or into groups."""
        if not is_for_tables:
            return self.has_room_for(keys)
        most = _FULL_BY_LOGS * keys_of_places(self._plan.most_places)
        return self.table_keys + self._left_out + keys <= most

    def has_room_for(self, rows: float) -> bool:
        """Say whether so many rows more fit into groups."""
        return self.group_rows + self._left_out + rows <= self._plan.most_groups * GROUP_ROWS

    def has_table_room_for(self, count: int, taken: "int | None" = None) -> bool:
        """Say whether a batch of so many keys fits into tables.

        `taken`: how many keys it had before those of some partitions were left out.
        """
        return self._fits(count, count if taken is None else taken, self._plan.most_places)

    def cut(self, fingerprints: Data) -> int:
        """Write the keys of a batch of fingerprints to `plan.keys`. Return how many."""
        plan, count = self._plan, len(fingerprints) // FINGERPRINT
        self._kernel.write(plan.fingerprints, fingerprints)
        self._kernel.cutKeys(plan.fingerprints, FINGERPRINT, count, plan.keys)
        return count

    def take(self, rows: LoggedRows) -> int:
        """Make a batch of rows of a log, without those whose partitions have them. Return how many keys it has."""
        kernel, plan = self._kernel, self._plan
        kernel.write(plan.keys, rows.keys)
        count = len(rows.keys) // KEY
        self.number_rows(count, rows.status, rows.first)
        if not rows.merged:
            return count
        is_merged = bytearray(PARTITIONS)
        for partition in rows.merged:
            is_merged[partition] = 1
        kernel.write(plan.answers, is_merged)
        kept = kernel.keepUnmerged(plan.keys, plan.numbers, count, plan.answers)
        self._left_out += count - kept
        return kept

    def keys(self, count: int) -> bytes:
        """Return the keys of the batch."""
        return bytes(self._kernel.view(self._plan.keys, count * KEY))

    def new_keys(self, count: int) -> bytes:
        """Move the keys whose answer is 1 to the beginning of the batch, and return them."""
        plan = self._plan
        end = self._kernel.keepNewKeys(plan.keys, count, plan.answers)
        return bytes(self._kernel.view(plan.keys, end - plan.keys))

    def answers(self, count: int) -> bytes:
        """Return the answers of the batch."""
        return bytes(self._kernel.view(self._plan.answers, count))

    def add_to_tables(self, count: int, taken: "int | None" = None) -> None:
        """Add the batch to the tables, which have room for it. The answers are 1 for keys that were not there.

        `taken`: as for `has_table_room_for`.
        """
        self._grow_tables(count, count if taken is None else taken)
        self._kernel.addToTables(self._plan.keys, count, self._plan.answers)

    def ask_tables(self, count: int) -> None:
        """Set the answers to 1 for keys of the batch that are not in the tables."""
        self._kernel.missingInTables(self._plan.keys, count, self._plan.answers)

    def number_rows(self, count: int, status: "bytes | None", first: "int | None") -> None:
        """Number the `count` rows of the batch that are URLs.

        `status`: of each row; None if all are URLs. `first`: the number of the first row; None if nobody waits for an
        answer.
        """
        kernel, plan = self._kernel, self._plan
        if first is None:
            kernel.write(plan.numbers, _NOBODY * count)
            return
        kernel.write(plan.answers, status or b"")
        codes, rows = (plan.answers, len(status)) if status else (0, count)
        kernel.numberRows(codes, rows, first, plan.numbers)

    def add_to_groups(self, count: int) -> None:
        """Add the batch, whose rows have numbers, to the groups."""
        done = 0
        while done < count:
            rows = min(count - done, GROUP_ROWS - self._open)
            self._copy_to_open(done, rows)
            done += rows
            self._open += rows
            if self._open == GROUP_ROWS:
                self.close()

    def _copy_to_open(self, first: int, rows: int) -> None:
        plan, copy, at = self._plan, self._kernel.copy, self._open
        copy(plan.keys + first * KEY, rows * KEY, plan.open_keys + at * KEY)
        copy(plan.numbers + first * 4, rows * 4, plan.open_numbers + at * 4)

    def close(self) -> None:
        """Put all rows into groups, so that `gather` has them."""
        if self._open == 0:
            return
        plan = self._plan
        at = plan.groups + self._groups * GROUP
        self._kernel.reserve_to(at + GROUP)
        self._kernel.splitGroup(plan.open_keys, plan.open_numbers, self._open, at)
        self._groups += 1
        self._open = 0

    def gather(self, partition: int) -> Iterator[int]:
        """Write the rows of a partition to `plan.rows`, in turns of `plan.most_rows` at most: those of tables first.

        Yield how many rows each turn has.
        """
        kernel, plan = self._kernel, self._plan
        in_groups = kernel.countRows(partition, plan.groups, self._groups)
        there = (kernel.takeTable(partition, plan.rows) - plan.rows) // ROW
        first = 0
        while there > 0 or first < in_groups:
            some = min(in_groups - first, plan.most_rows - there)
            end = plan.rows + there * ROW
            kernel.gatherRows(partition, plan.groups, self._groups, first, some, end)
            yield there + some
            first += some
            there = 0

    def _grow_tables(self, count: int, taken: int) -> None:
        most = self._plan.most_places
        while self._places < most and not self._fits(count, taken, self._places):
            self._places = min(2 * self._places, most)
            self._kernel.growTables(self._places, self._plan.rows)

    def _fits(self, count: int, taken: int, places: int) -> bool:
        """Say whether tables of so many places can take more keys. One gets more than its part by chance."""
        part = taken / PARTITIONS
        most = min(count, math.ceil(part + 6 * math.sqrt(part) + 12))
        is_roomy = self.table_keys + self._left_out + count <= keys_of_places(places)
        return is_roomy and self._kernel.fullestTable() + most < places
