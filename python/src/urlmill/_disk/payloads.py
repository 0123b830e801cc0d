"""Payloads: what the caller gives with rows, and gets back with their answers (src/seen/disk/files/pieces.ts)."""

import struct
from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

from .._batches import Batch
from .._errors import OptionError
from .._texts import utf8
from .plan import BATCH
from .row_log import RowLog, no_frame

PIECE = 1 << 23
"""Bytes of payloads that a piece has, about, at most."""

_HEADER = struct.Struct("<II")
"""Bytes after the header, and rows. The length of each payload (32 bits) comes next, then what they are."""


def payloads_of(rows: Batch, payload: Any) -> "Sequence[bytes] | None":
    """Return the bytes to keep with each row; None if nothing is kept."""
    if payload is None:
        return None
    if payload == "url":
        return [utf8(url) if isinstance(url, (str, bytes)) else b"" for url in _texts(rows)]
    if not isinstance(payload, (str, bytes)):
        given = list(payload)
        if all(isinstance(each, bytes) for each in given):
            return given
    raise OptionError("BAD_OPTION", 'payload: must be "url", or bytes for each row')


def _texts(rows: Batch) -> Iterator[object]:
    yield from rows.texts or ()
    if rows.chunks:
        from .._chunks import as_bytes

        for chunk in rows.chunks:
            yield from as_bytes(chunk).to_pylist()


def rows_of_frame(payloads: "Sequence[bytes] | None", row: int) -> int:
    """Return how many rows from `row` on a frame takes: BATCH at most, and no more payloads than a piece has."""
    if payloads is None:
        return BATCH
    size, end = 0, row
    while end < min(len(payloads), row + BATCH) and size < PIECE:
        size += len(payloads[end])
        end += 1
    return end - row


def payload_frame(payloads: Sequence[bytes]) -> bytes:
    """Return the bytes of a frame."""
    lengths = array("I", map(len, payloads)).tobytes()
    rest = b"".join((lengths, *payloads))
    return _HEADER.pack(len(rest), len(payloads)) + rest


class FrameCounter:
    """Counts whole frames. A frame begins a block of its file."""

    def __init__(self, name: str) -> None:
        """Take the name of the file, for the error."""
        self._name = name
        self.frames = 0
        self._left = 0
        """Bytes of the frame that are missing."""

    def add(self, block: bytes) -> bool:
        """Add the next block. Return whether it ends a frame. Raise `SEEN_CORRUPT` if it goes on after its end."""
        if self._left == 0:
            if len(block) < _HEADER.size:
                raise no_frame(self._name)
            self._left = _HEADER.size + int(_HEADER.unpack_from(block)[0])
        self._left -= len(block)
        if self._left < 0:
            raise no_frame(self._name)
        self.frames += self._left == 0
        return self._left == 0


def read_payloads(log: RowLog) -> Iterator[list[bytes]]:
    """Read the payloads of one frame after the other."""
    name = log.path_of("payload")
    counter, blocks = FrameCounter(name), list[bytes]()
    for block in log.blocks("payload"):
        blocks.append(block)
        if counter.add(block):
            yield _split(b"".join(blocks), name)
            blocks.clear()


def _split(frame: bytes, name: str) -> list[bytes]:
    _, rows = _HEADER.unpack_from(frame)
    begin = _HEADER.size + 4 * rows
    if begin > len(frame):
        raise no_frame(name)
    lengths = memoryview(frame)[_HEADER.size : begin].cast("I")
    if begin + sum(lengths) != len(frame):
        raise no_frame(name)
    return [frame[at:end] for at, end in pairwise(accumulate(lengths, initial=begin))]
