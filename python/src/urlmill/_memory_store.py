"""The store of a set in memory: a table in the kernel that normalizes its URLs."""

from collections.abc import Iterator
from itertools import compress
from typing import Any

from ._batches import Batch
from ._errors import SeenError
from ._fingerprints import batch_windows, spread
from ._kernel import ROWS, Kernel
from ._status import Status
from ._texts import IS_ERROR

_MEMORY_BYTES = 1 << 32
"""Bytes that the memory of a kernel has at most."""
_FAILED = 0xFFFFFFFF
"""What WebAssembly returns for -1."""
_PIECE = 1 << 20
"""Bytes of the table that are read at a time."""
_SPARE = 1 << 10
"""Places of a table after the last home, for the run that begins there."""
_IS_URL = bytes(1 - error for error in IS_ERROR)


class MemoryStore:
    """Keeps fingerprints of 128 or 64 bits."""

    def __init__(self, kernel: Kernel, key: bytes, bits: int) -> None:
        self.key = key
        self.bits = bits
        self._kernel = kernel
        function = kernel.instance.function
        function("setFingerprintBits")(bits)
        self._insert = function("insertFingerprints")
        self._has = function("hasFingerprints")
        self._reserve = function("reserveFingerprints")

    def size(self) -> int:
        """Count the URLs."""
        return self._kernel.instance.number("seenCount")

    def capacity(self) -> int:
        """Return how many URLs the table has room for."""
        places = self._kernel.instance.number("tableBytes") // (self.bits >> 3) - _SPARE
        return max(0, places * 55 // 64)

    def reserve(self, count: int) -> None:
        """Make room for `count` URLs in all. Raise `SET_FULL` without memory."""
        # The kernel takes counts as signed numbers.
        most = (_MEMORY_BYTES // (self.bits >> 3)) * 55 // 64
        if count > most or self._reserve(count) == 0:
            raise SeenError(
                "SET_FULL",
                f"there is no memory for {count} URLs, and a set has {most} at most: "
                "divide the URLs among several sets",
            )
        self._kernel.renew_views()

    def stats(self) -> dict[str, Any]:
        """Describe the store."""
        return {"store": "memory", "memory_bytes": self._kernel.instance.number("tableBytes")}

    def answers(self, kernel: Kernel, rows: Batch, adds: bool) -> bytes:
        """Answer for a batch that the kernel of the store normalizes."""
        windows, places, total = batch_windows(kernel, rows)
        answers = bytearray()
        for _, count, ending in windows:
            if ending < 0:
                answers.append(Status.TOO_LONG)
            else:
                answers += self._window(kernel, count, ending, adds)
        if places is None:
            return bytes(answers)
        return bytes(spread(places, answers, total))

    def _window(self, kernel: Kernel, rows: int, ending: int, adds: bool) -> bytes:
        """Answer for rows of the last call."""
        codes = kernel.status(rows)
        # `reserve` voids the key, and a window may have called it.
        kernel.write_key(self.key)
        flat = kernel.fingerprint_urls(rows, ending, self.bits)
        asked = len(flat) // (self.bits >> 3)
        kernel.bytes[kernel.fingerprints_start : kernel.fingerprints_start + len(flat)] = flat
        return answers_of_rows(codes, self._marks(kernel, asked, adds))

    def _marks(self, kernel: Kernel, rows: int, adds: bool) -> bytes:
        if not adds:
            self._has(rows)
        elif self._insert(rows) == _FAILED:
            raise SeenError(
                "SET_FULL",
                f"the set has {self.size()} URLs and no memory for more: "
                "use 64 bits, or divide the URLs among several sets",
            )
        else:
            kernel.renew_views()
        start = kernel.instance.number("marks")
        return bytes(kernel.bytes[start : start + rows])

    def fingerprints(self) -> Iterator[bytes]:
        """Return all fingerprints in rising order, piece by piece."""
        # An interrupted call may have made the table grow.
        self._kernel.renew_views()
        number, words = self._kernel.instance.number, self.bits >> 6
        end = number("tableStart") + number("tableBytes")
        for start in range(number("tableStart"), end, _PIECE):
            entries = self._kernel.bytes[start : min(start + _PIECE, end)]
            flags = entries.cast("Q")[::words].tolist()
            width = self.bits >> 3
            starts = compress(range(0, len(entries), width), flags)
            yield b"".join([entries[at : at + width] for at in starts])

    def fill(self, fingerprints: memoryview) -> None:
        """Add fingerprints that another set had. Raise `SET_FULL` without memory."""
        kernel, width = self._kernel, self.bits >> 3
        self.reserve(self.size() + len(fingerprints) // width)
        for first in range(0, len(fingerprints), ROWS * width):
            piece = fingerprints[first : first + ROWS * width]
            start = kernel.fingerprints_start
            kernel.bytes[start : start + len(piece)] = piece
            self._insert(len(piece) // width)

    def close(self) -> None:
        """Do nothing: the memory goes with the set."""


def answers_of_rows(codes: bytes, answers: bytes) -> bytes:
    """Return the answers of rows that are URLs at their places, and the status bytes of the others."""
    if len(answers) == len(codes):
        return answers
    rows = bytearray(codes)
    given = iter(answers)
    for row in compress(range(len(rows)), codes.translate(_IS_URL)):
        rows[row] = next(given)
    return bytes(rows)
