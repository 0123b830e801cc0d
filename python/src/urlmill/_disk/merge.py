"""Merges rows into new files of their partitions (src/seen/disk/merge-partition.ts and merge-all.ts)."""

from io import FileIO
from typing import NamedTuple

from .._errors import SeenError
from .files import read_fully, sync, write_fully
from .folder import SetFolder
from .kernel import DiskKernel
from .log_stack import LogStack
from .lookups import Lookups
from .manifest import Manifest
from .partitions import damaged_block, distance_bytes, lines_for, partition_name
from .pending import Pending
from .plan import BLOCK, ENTRY, LINE, MOST_BLOCKS, PARTITIONS, ROW, WINDOW, MemoryPlan
from .state import PartitionState

_NEEDS_INPUT, _DONE, _DAMAGED = 0, 2, 3
"""What `merge` of the kernel answers, as in assembly/disk/merge.ts."""
_TOGETHER = 8
"""How many partitions are made durable together. So many more files than in rest are on disk."""


class _NewFile(NamedTuple):
    """Is a new file of a partition that is not durable yet."""

    partition: int
    state: PartitionState
    old: PartitionState
    file: FileIO


class Merge:
    """Merges all rows in memory.

    The manifest takes some partitions at a time, when their files and the numbers of their new rows are durable:
    whenever it ends, a partition is old or new. Merging again what is merged changes nothing.
    """

    def __init__(
        self, folder: SetFolder, manifest: Manifest, kernel: DiskKernel, plan: MemoryPlan
    ) -> None:
        self._folder = folder
        self._manifest = manifest
        self._kernel = kernel
        self._plan = plan

    def run(self, pending: Pending, logs: LogStack, lookups: "Lookups | None") -> None:
        """Merge what is pending. `lookups` of a set that answers at once get the new files."""
        logs.complete_waiting()
        pending.close()
        made: list[_NewFile] = []
        try:
            for partition in range(PARTITIONS):
                new = self._merge_turns(partition, pending, logs)
                if new is not None:
                    made.append(new)
                    if lookups is not None:
                        lookups.replace(partition, new.state)
                if len(made) == _TOGETHER:
                    self._commit(made, logs)
            self._commit(made, logs)
        finally:
            for new in made:
                new.file.close()
        self._manifest.change(logs=logs.states_after(None))
        logs.drop_added()

    def _merge_turns(self, partition: int, pending: Pending, logs: LogStack) -> "_NewFile | None":
        """Merge the rows of a partition into a new file, in as many turns as they take.

        Each turn merges some rows into the file of the turn before, which it then removes. Return the last file; None
        if there are no rows.
        """
        old = before = self._manifest.state["partitions"][partition]
        last: FileIO | None = None
        try:
            for rows in pending.gather(partition):
                if last is not None:
                    last.close()
                state, file = self._merge_partition(partition, before, rows)
                if last is not None:
                    self._folder.remove(partition_name(partition, before["generation"]))
                before, last = state, file
                logs.append_new(self._fresh())
        except BaseException:
            if last is not None:
                last.close()
            raise
        return None if last is None else _NewFile(partition, before, old, last)

    def _commit(self, made: list[_NewFile], logs: LogStack) -> None:
        for new in made:
            sync(new.file)
            new.file.close()
        self._folder.sync()
        self._manifest.change(
            partitions=[(new.partition, new.state) for new in made],
            logs=logs.states_after([new.partition for new in made]),
        )
        for new in made:
            if new.old["generation"] > 0:
                self._folder.remove(partition_name(new.partition, new.old["generation"]))
        made.clear()

    def _fresh(self) -> bytes:
        """Return the numbers of the rows that were new."""
        begin = self._plan.fresh
        return bytes(self._kernel.view(begin, self._kernel.freshEnd() - begin))

    def _merge_partition(
        self, partition: int, old: PartitionState, rows: int
    ) -> tuple[PartitionState, FileIO]:
        """Merge the rows at `plan.rows` into a new file. Raise `SEEN_CORRUPT` for a damaged block of the old one."""
        kernel, plan = self._kernel, self._plan
        generation, most_keys = old["generation"] + 1, old["keys"] + rows
        kernel.sortRows(plan.rows, plan.rows + rows * ROW, plan.sorted, plan.counters)
        lines = lines_for(most_keys, plan.filter_bytes)
        filter_at = plan.filters + partition * plan.filter_bytes
        kernel.setFiles(self._manifest.set, partition, old["generation"], generation)
        width, end = distance_bytes(most_keys), plan.sorted + rows * ROW
        kernel.beginMerge(plan.sorted, end, width, plan.index, filter_at, lines, plan.fresh)
        file = self._folder.create(partition_name(partition, generation))
        try:
            self._copy_blocks(partition, old, file)
            blocks, keys = kernel.number("blocksWritten"), kernel.number("keysWritten")
            filter_bytes, index_bytes = lines * LINE, blocks * ENTRY
            write_fully(file, kernel.view(filter_at, filter_bytes), blocks * BLOCK)
            write_fully(file, kernel.view(plan.index, index_bytes), blocks * BLOCK + filter_bytes)
            checksum = kernel.checksum(filter_at, filter_bytes)
            checksum += kernel.checksum(plan.index, index_bytes)
        except BaseException:
            file.close()
            raise
        state = PartitionState(
            generation=generation, keys=keys, blocks=blocks, lines=lines, checksum=checksum
        )
        return state, file

    def _copy_blocks(self, partition: int, old: PartitionState, file: FileIO) -> None:
        kernel, plan = self._kernel, self._plan
        source = _OldFile(self._folder, partition, old)
        written = 0
        try:
            kernel.setOutput(plan.output, plan.output + WINDOW)
            while True:
                state = kernel.merge()
                if state == _NEEDS_INPUT:
                    data, is_last = source.read()
                    kernel.write(plan.input, data)
                    kernel.setInput(plan.input, plan.input + len(data), is_last)
                elif state == _DAMAGED:
                    raise self._damage(source)
                else:
                    length = kernel.outputWritten() - plan.output
                    write_fully(file, kernel.view(plan.output, length), written)
                    written += length
                    if state == _DONE:
                        return
                    if kernel.number("blocksWritten") + WINDOW // BLOCK > MOST_BLOCKS:
                        raise SeenError(
                            "SET_FULL",
                            f"{source.name} cannot have more than {MOST_BLOCKS} blocks",
                        )
                    kernel.setOutput(plan.output, plan.output + WINDOW)
        finally:
            source.close()

    def _damage(self, source: "_OldFile") -> Exception:
        """Make the error of the block at which the kernel stopped."""
        kernel, plan = self._kernel, self._plan
        kernel.setFiles(self._manifest.set, source.partition, source.generation, 0)
        first = (source.position - source.window) // BLOCK
        blocks = range(source.window // BLOCK)
        damaged = (
            block
            for block in blocks
            if not kernel.keysOfBlock(plan.input + block * BLOCK, first + block, plan.keys)
        )
        return damaged_block(source.name, first + next(damaged, 0))


class _OldFile:
    """Reads the blocks of a file, window by window."""

    def __init__(self, folder: SetFolder, partition: int, state: PartitionState) -> None:
        self.partition = partition
        self.generation = state["generation"]
        name = partition_name(partition, self.generation)
        self.name = folder.path_of(name)
        self.position = 0
        self.window = 0
        """Bytes of the last window."""
        self._bytes = state["blocks"] * BLOCK
        self._file = folder.open(name) if self.generation > 0 else None

    def read(self) -> tuple[bytes, bool]:
        """Return the next window, and whether it is the last."""
        self.window = min(WINDOW, self._bytes - self.position)
        data = b""
        if self._file is not None and self.window > 0:
            data = read_fully(self._file, self.window, self.position)
        self.position += self.window
        return data, self.position == self._bytes

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
