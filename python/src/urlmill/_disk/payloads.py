"""Payloads: what the caller gives with rows, and gets back with their answers (src/seen/disk/files/pieces.ts)."""

import struct
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

from .._batches import Batch
from .._errors import OptionError
from .._texts import utf8
from .plan import BATCH

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
    for chunk in rows.chunks or ():
        yield from chunk.to_pylist()


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

    def __init__(self) -> None:
        self.frames = 0
        self._left = 0
        """Bytes of the frame that are missing."""

    def add(self, block: bytes) -> None:
        """Add the next block."""
        if self._left == 0:
            self._left = _frame_bytes(block)
        self._left -= len(block)
        self.frames += self._left == 0


def read_payloads(blocks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Read the payloads of one frame after the other."""
    frame = b""
    for block in blocks:
        frame += block
        if len(frame) == _frame_bytes(frame):
            yield _split(frame)
            frame = b""


def _frame_bytes(data: bytes) -> int:
    (length,) = _HEADER.unpack_from(data)[:1]
    return _HEADER.size + int(length)


def _split(frame: bytes) -> list[bytes]:
    _, rows = _HEADER.unpack_from(frame)
    begin = _HEADER.size + 4 * rows
    lengths = memoryview(frame)[_HEADER.size : begin].cast("I")
    return [frame[at:end] for at, end in pairwise(accumulate(lengths, initial=begin))]
