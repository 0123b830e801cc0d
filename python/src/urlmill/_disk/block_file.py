"""Files of blocks with checksums, as src/seen/journal/journal-file.ts and block.ts read and write them."""

import os
import struct
from collections.abc import Callable, Iterator
from io import FileIO
from zlib import crc32

from .._errors import SeenError
from .files import Data, open_file, read_some, size_of, sync, write_fully
from .folder import SetFolder

LARGEST = 1 << 20
"""The most bytes of a block."""

_MAGIC = b"UBLK"
_HEADER = struct.Struct("<4sIIIIQI")
"""MAGIC, numbers of file and block, bytes, their CRC-32, synced bytes of the file, CRC-32 of the header."""
_READ = 1 << 23


class BlockFile:
    """Holds one file of blocks, to which more are added. `number` is in each of them: blocks of others do not pass."""

    def __init__(self, file: FileIO, number: int) -> None:
        self.name = str(file.name)
        self._file = file
        self._number = number
        self._blocks = 0
        self.length = 0
        """Counts the bytes of whole blocks."""
        self.synced = 0
        """Counts the bytes that are on disk for certain."""
        self.cut = 0
        """Counts the bytes of unfinished writes that were cut when the file was opened."""

    @classmethod
    def create(cls, folder: SetFolder, name: str, number: int) -> "BlockFile":
        """Create a file, in the place of an unfinished one of that name."""
        return cls(folder.create(name), number)

    @classmethod
    def open(
        cls, name: str, number: int, durable: int, take: Callable[[bytes], object]
    ) -> "BlockFile":
        """Open a file, hand its blocks to `take`, and cut it at the first gap.

        Raises `SEEN_CORRUPT` if the gap is in what was on disk for certain, by `durable` or a later block.
        """
        opened = cls(open_file(name, "r+"), number)
        try:
            for block in opened.blocks():
                take(block)
                opened.length += _HEADER.size + len(block)
                opened._blocks += 1
            opened._cut(durable)
        except BaseException:
            opened.close()
            raise
        return opened

    def _cut(self, durable: int) -> None:
        size = size_of(self._file)
        later = self._synced_after() if self.length < size else 0
        if self.length < max(durable, later):
            raise SeenError(
                "SEEN_CORRUPT",
                f"{self.name} is damaged at byte {self.length} of {max(durable, size)}",
            )
        if self.length < size:
            os.ftruncate(self._file.fileno(), self.length)
        self.cut = size - self.length
        self.sync()

    def append(self, data: Data) -> None:
        """Write blocks at the end. If it raises, the file is as it was, or has an unfinished block.

        Raises `SEEN_LOCKED` if another process has written to the file or has replaced it.
        """
        view = memoryview(data)
        for at in range(0, len(view), LARGEST):
            rows = view[at : at + LARGEST]
            begin = _HEADER.pack(
                _MAGIC, self._number, self._blocks, len(rows), crc32(rows), self.synced, 0
            )[:-4]
            block = b"".join((begin, crc32(begin).to_bytes(4, "little"), rows))
            self._check_untouched()
            write_fully(self._file, block, self.length)
            self.length += len(block)
            self._blocks += 1

    def _check_untouched(self) -> None:
        """Raise an error if another process has written to the file. The lock normally prevents that."""
        found = os.fstat(self._file.fileno())
        if found.st_size == self.length and found.st_nlink > 0:
            return
        has = f"has {found.st_size} bytes, not {self.length}"
        what = has if found.st_nlink > 0 else "was replaced"
        raise SeenError(
            "SEEN_LOCKED",
            f"{self.name} {what}: another process writes to this set. "
            "Let one process have it, then open it again",
        )

    def blocks(self) -> Iterator[bytes]:
        """Read the blocks from the beginning up to the first gap. Raise `SEEN_CORRUPT` for one in what was whole."""
        position = number = 0
        while True:
            window = memoryview(read_some(self._file, _READ, position))
            at = 0
            while (block := self._block(window[at:], number)) is not None:
                yield bytes(block)
                at += _HEADER.size + len(block)
                number += 1
            if at == 0 and position < self.length:
                raise SeenError("SEEN_CORRUPT", f"{self.name} is damaged at byte {position}")
            if at == 0:
                return
            position += at

    def _block(self, data: memoryview, number: int) -> "memoryview | None":
        """Return the block at the beginning of `data`; None if no whole block of this number is there."""
        header = self._header(data)
        if header is None or header[0] != number:
            return None
        rows = data[_HEADER.size : _HEADER.size + header[1]]
        return rows if len(rows) == header[1] and crc32(rows) == header[2] else None

    def _header(self, data: Data) -> "tuple[int, int, int, int] | None":
        """Return the block's number, bytes, checksum and `synced` of a whole header of this file."""
        if len(data) < _HEADER.size:
            return None
        magic, of, number, length, checksum, synced, own = _HEADER.unpack_from(data)
        if magic != _MAGIC or of != self._number or length > LARGEST:
            return None
        return (number, length, checksum, synced) if own == crc32(data[:28]) else None

    def _synced_after(self) -> int:
        """Return how many bytes of the file were on disk for certain, by the headers after the whole blocks."""
        synced, position = 0, self.length
        while True:
            window = read_some(self._file, _READ, position)
            at = window.find(_MAGIC)
            while at >= 0:
                header = self._header(window[at : at + _HEADER.size])
                synced = max(synced, header[3] if header else 0)
                at = window.find(_MAGIC, at + 1)
            if len(window) < _READ:
                return synced
            position += _READ - _HEADER.size

    def sync(self) -> None:
        """Return when all that was written is on disk."""
        sync(self._file)
        self.synced = self.length

    def rename(self, folder: SetFolder, name: str) -> None:
        """Put the file in the place of another."""
        folder.rename(os.path.basename(self.name), name)
        self.name = folder.path_of(name)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
