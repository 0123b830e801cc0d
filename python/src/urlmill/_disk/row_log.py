"""Logs of rows, and their frames (src/seen/disk/files/row-log.ts)."""

import os
import re
import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .block_file import BlockFile
from .files import Data, sync_directory
from .manifest import LogState
from .plan import KEY

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
    def decode(cls, data: bytes) -> "Frame":
        """Read what `encode` wrote."""
        rows, keys = _HEADER.unpack_from(data)
        end = _HEADER.size + keys * KEY
        return cls(rows, memoryview(data)[_HEADER.size : end], data[end : end + rows] or None)


def log_name(directory: str, part: str, number: int) -> str:
    """Return the path of one of the files of a log."""
    return os.path.join(directory, f"{part}.{number}")


def log_number(name: str) -> "int | None":
    """Return the number of a log by the name of one of its files; None for another file."""
    found = re.fullmatch(r"(?:log|payload|new)\.(\d+)", name)
    return None if found is None else int(found[1])


class RowLog:
    """Holds the open files of a log."""

    def __init__(self, directory: str, set_number: int, number: int) -> None:
        self._directory = directory
        self._set = set_number
        self.number = number
        self.files: dict[str, BlockFile] = {}

    def create(self, *parts: str) -> None:
        """Create files of the log."""
        for part in parts:
            name = log_name(self._directory, part, self.number)
            self.files[part] = BlockFile.create(name, self._id(part))
        sync_directory(self._directory)

    def open(self, part: str, state: LogState, take: Callable[[bytes], object]) -> int:
        """Open a file that was written before, and hand its blocks to `take`. Return the bytes that were cut."""
        name = log_name(self._directory, part, self.number)
        durable = state["durable"][PARTS.index(part)]
        self.files[part] = BlockFile.open(name, self._id(part), durable, take)
        return self.files[part].cut

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
