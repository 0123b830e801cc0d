"""Looks for keys in the files of a set (src/seen/disk/lookups.ts)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import FileIO
from itertools import compress
from typing import NamedTuple

from .._errors import SeenError
from .files import read_fully, will_read
from .folder import SetFolder
from .kernel import DiskKernel
from .partitions import damaged_block, lines_for, partition_name
from .plan import BLOCK, ENTRY, KEY, LINE, PARTITIONS, WINDOW, MemoryPlan
from .state import PartitionState, State

_PRESENT, _BEFORE, _DAMAGED = 1, 2, 3
"""What `findInRead` of the kernel answers, as in assembly/disk/find.ts."""
_NEAR = 8
"""Blocks that lie this near to each other are read at once."""
_MOST_BLOCKS = WINDOW // BLOCK
_AT_A_TIME = 64
"""How many reads the system is told of before the first is needed."""


class _Open(NamedTuple):
    """Is the open file of a partition, whose index is in memory."""

    state: PartitionState
    file: FileIO


@dataclass
class _Run:
    """Blocks of a file that are read at once, and the keys to look for in them: row and block."""

    partition: int
    first: int
    blocks: int
    wanted: list[tuple[int, int]] = field(default_factory=list)


class Lookups:
    """Asks filters and indexes in memory, and reads few blocks."""

    def __init__(
        self, kernel: DiskKernel, plan: MemoryPlan, folder: SetFolder, set_number: int
    ) -> None:
        self._kernel = kernel
        self._plan = plan
        self._folder = folder
        self._set = set_number
        self._open: list[_Open | None] = [None] * PARTITIONS

    def find(self, count: int, state: State) -> None:
        """Set the answer of each key in the batch to 0 that is in a file, of those whose answer is 1."""
        kernel, plan = self._kernel, self._plan
        self._open_touched(count, state)
        maybe = kernel.findBlocks(plan.keys, count, plan.answers, plan.finders, plan.found)
        if maybe == 0:
            return
        pairs = kernel.words(plan.found, 2 * maybe)
        runs = _runs_of(sorted(zip(pairs[::2].tolist(), pairs[1::2].tolist(), strict=True)))
        for at in range(0, len(runs), _AT_A_TIME):
            some = runs[at : at + _AT_A_TIME]
            if len(some) > 1:
                for run in some:
                    self._will_read(run)
            for run in some:
                self._look_in(run, plan.input)

    def _open_touched(self, count: int, state: State) -> None:
        """Open the files that keys of the batch may be in."""
        kernel, plan = self._kernel, self._plan
        partitions = kernel.view(plan.keys + KEY - 1, max(0, count * KEY - KEY + 1))[::KEY]
        for partition in set(compress(partitions, kernel.view(plan.answers, count))):
            of = state["partitions"][partition]
            opened = self._open[partition]
            if of["generation"] > 0 and (opened is None or opened.state is not of):
                self._open_file(partition, of)

    def replace(self, partition: int, state: PartitionState) -> None:
        """Take what a merge made of a partition: its index is at `plan.index`, its filter in its place."""
        at = self._index_at(partition, state)
        self._kernel.copy(self._plan.index, state["blocks"] * ENTRY, at)
        file = self._folder.open(partition_name(partition, state["generation"]))
        self._set_open(partition, _Open(state, file), state["lines"])

    def close(self) -> None:
        """Close all files."""
        for opened in self._open:
            if opened is not None:
                opened.file.close()
        self._open = [None] * PARTITIONS

    def _open_file(self, partition: int, state: PartitionState) -> None:
        """Open a file, and load its index and its filter. A file that was written without a filter gets one."""
        file = self._folder.open(partition_name(partition, state["generation"]))
        try:
            lines = self._load_tail(partition, state, file)
            if lines == 0:
                lines = self._make_filter(partition, state, file)
            self._set_open(partition, _Open(state, file), lines)
        except BaseException:
            file.close()
            raise

    def _load_tail(self, partition: int, state: PartitionState, file: FileIO) -> int:
        """Load the index, and the filter if it has room. Return the lines of the filter."""
        kernel, index = self._kernel, self._index_at(partition, state)
        filter_bytes, index_bytes = state["lines"] * LINE, state["blocks"] * ENTRY
        begin = state["blocks"] * BLOCK
        kernel.write(index, read_fully(file, index_bytes, begin + filter_bytes))
        is_whole = kernel.checksum(index, index_bytes) == state["checksum"][16:]
        lines = state["lines"] if filter_bytes <= self._plan.filter_bytes else 0
        if lines > 0:
            at = self._filter_at(partition)
            kernel.write(at, read_fully(file, filter_bytes, begin))
            is_whole = is_whole and kernel.checksum(at, filter_bytes) == state["checksum"][:16]
        if not is_whole:
            raise SeenError("SEEN_CORRUPT", f"{file.name} is damaged after its blocks")
        return lines

    def _make_filter(self, partition: int, state: PartitionState, file: FileIO) -> int:
        """Make the filter of a file that has none, or one that is too large. Return its lines."""
        kernel, at = self._kernel, self._plan.input
        lines = lines_for(state["keys"], self._plan.filter_bytes)
        if lines == 0:
            return 0
        filter_at = self._filter_at(partition)
        kernel.write(filter_at, bytes(lines * LINE))
        kernel.setFiles(self._set, partition, state["generation"], 0)
        for first in range(0, state["blocks"], _MOST_BLOCKS):
            blocks = min(_MOST_BLOCKS, state["blocks"] - first)
            kernel.write(at, read_fully(file, blocks * BLOCK, first * BLOCK))
            for block in range(blocks):
                if not kernel.addBlockToFilter(at + block * BLOCK, first + block, filter_at, lines):
                    raise damaged_block(str(file.name), first + block)
        return lines

    def _set_open(self, partition: int, opened: _Open, lines: int) -> None:
        before, self._open[partition] = self._open[partition], opened
        if before is not None:
            before.file.close()
        finder = self._kernel.words(self._plan.finders + 16 * partition, 4)
        index = self._index_at(partition, opened.state)
        numbers = (index, opened.state["blocks"], self._filter_at(partition), lines)
        for at, number in enumerate(numbers):
            finder[at] = number

    def _filter_at(self, partition: int) -> int:
        return self._plan.filters + partition * self._plan.filter_bytes

    def _index_at(self, partition: int, state: PartitionState) -> int:
        room = self._plan.index_bytes
        if state["blocks"] * ENTRY > room:
            raise SeenError(
                "SET_FULL",
                f"{self._folder.path} needs more memory to look for URLs at once: "
                "set memory, or immediate=False",
            )
        return self._plan.indexes + partition * room

    def _of(self, partition: int) -> _Open:
        opened = self._open[partition]
        assert opened is not None
        return opened

    def _will_read(self, run: _Run) -> None:
        will_read(self._of(run.partition).file, run.blocks * BLOCK, run.first * BLOCK)

    def _look_in(self, run: _Run, at: int) -> None:
        """Read blocks to a place of the memory, and look for keys in them."""
        kernel, plan = self._kernel, self._plan
        state, file = self._of(run.partition)
        kernel.write(at, read_fully(file, run.blocks * BLOCK, run.first * BLOCK))
        kernel.setFiles(self._set, run.partition, state["generation"], 0)
        before = []
        for row, block in run.wanted:
            place = at + (block - run.first) * BLOCK
            found = kernel.findInRead(plan.keys + row * KEY, place, block)
            if found == _DAMAGED:
                raise damaged_block(str(file.name), block)
            if found == _PRESENT:
                kernel.bytes[plan.answers + row] = 0
            elif found == _BEFORE and block > 0:
                before.append((row, block - 1))
        # The index has 64 of 72 bits of the first key: the block before may have it. It is rare.
        for row, block in before:
            self._look_in(_Run(run.partition, block, 1, [(row, block)]), plan.output)


def _runs_of(found: Sequence[tuple[int, int]]) -> list[_Run]:
    """Join keys whose blocks are near each other. `found`: partition and block (8 and 24 bits), and row, sorted."""
    runs: list[_Run] = []
    last: _Run | None = None
    for place, row in found:
        partition, block = place >> 24, place & 0xFFFFFF
        if last is not None and last.partition == partition:
            blocks = block + 1 - last.first
            if blocks - last.blocks <= _NEAR and blocks <= _MOST_BLOCKS:
                last.blocks = max(last.blocks, blocks)
                last.wanted.append((row, block))
                continue
        last = _Run(partition, block, 1, [(row, block)])
        runs.append(last)
    return runs
