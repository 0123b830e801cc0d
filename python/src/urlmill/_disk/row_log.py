"""Logs of rows, and their frames (src/seen/disk/files/row-log.ts)."""

import re
import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .._errors import SeenError
from .block_file import BlockFile
from .files import Data
from .folder import SetFolder
from .plan import BATCH, KEY
from .state import LogState

PARTS = ("log", "payload", "new")
"""Names the files of a log: its keys, its payloads, and the numbers of its new rows."""

_HEADER = struct.Struct("<II")


class Frame(NamedTuple):
    """Holds the keys of those rows that are URLs, and the status of each row; None if all are URLs."""

    rows: int
    keys: Data
    status: "bytes | None"

    def encode(self) -> bytes:
        """Return the bytes of a frame."""
        header = _HEADER.pack(self.rows, len(self.keys) // KEY)
        return b"".join((header, self.keys, self.status or b""))

    @classmethod
    def decode(cls, data: bytes, name: str) -> "Frame":
        """Read what `encode` wrote. Raise `SEEN_CORRUPT` for other bytes; `name` is of their file."""
        if len(data) < _HEADER.size:
            raise no_frame(name)
        rows, keys = _HEADER.unpack_from(data)
        end = _HEADER.size + keys * KEY
        status = data[end:]
        # Rows that were answered have no numbers.
        fits = rows == len(status) if status else rows in (0, keys)
        if not fits or max(rows, keys) > BATCH or end > len(data):
            raise no_frame(name)
        return cls(rows, memoryview(data)[_HEADER.size : end], status or None)


def no_frame(name: str) -> SeenError:
    """Make the error of a block with a right checksum that holds something else than its file must."""
    return SeenError("SEEN_CORRUPT", f"{name} is damaged: a block is not of a set on disk")


def log_name(part: str, number: int) -> str:
    """Return the name of one of the files of a log."""
    return f"{part}.{number}"


def log_number(name: str) -> "int | None":
    """Return the number of a log by the name of one of its files; None for another file."""
    found = re.fullmatch(r"(?:log|payload|new)\.(\d+)", name)
    return None if found is None else int(found[1])


class RowLog:
    """Holds the open files of a log."""

    def __init__(self, folder: SetFolder, set_number: int, number: int) -> None:
        self._folder = folder
        self._set = set_number
        self.number = number
        self.files: dict[str, BlockFile] = {}

    def create(self, *parts: str) -> None:
        """Create files of the log."""
        for part in parts:
            name = log_name(part, self.number)
            self.files[part] = BlockFile.create(self._folder, name, self._id(part))
        self._folder.sync()

    def open(self, part: str, state: LogState, take: Callable[[bytes], object]) -> int:
        """Open a file that was written before, and hand its blocks to `take`. Return the bytes that were cut."""
        durable = state["durable"][PARTS.index(part)]
        self.files[part] = BlockFile.open(self.path_of(part), self._id(part), durable, take)
        return self.files[part].cut

    def path_of(self, part: str) -> str:
        """Return the path of one of the files."""
        return self._folder.path_of(log_name(part, self.number))

    @property
    def durable(self) -> list[int]:
        """Say how many bytes of each file are on disk for certain."""
        return [self.files[part].synced if part in self.files else 0 for part in PARTS]

    @property
    def length(self) -> int:
        """Count the bytes of all files."""
        return sum(file.length for file in self.files.values())

    def append(self, part: str, data: Data) -> None:
        """Append to one of the files."""
        self.files[part].append(data)

    def blocks(self, part: str) -> Iterator[bytes]:
        """Read one of the files from its beginning."""
        return self.files[part].blocks()

    def sync(self) -> None:
        """Make all files durable."""
        for file in self.files.values():
            file.sync()

    def close(self) -> None:
        """Close all files."""
        for file in self.files.values():
            file.close()

    def _id(self, part: str) -> int:
        """Return the number in the blocks of a file: those of another set, log or part do not pass."""
        return self._set ^ ((3 * self.number + PARTS.index(part) + 1) * 0x9E3779B1 & 0xFFFFFFFF)
