"""A set of keys alone: it normalizes nothing."""

import ctypes
from collections.abc import Callable

from ._errors import KernelError, SeenError
from ._kernel import KEY_BYTES, ROWS
from ._wasm import Instance

_FAILED = 0xFFFFFFFF
"""What WebAssembly returns for -1."""
_QUICK_GROWTH = 1 << 20
"""Keys up to which room is doubled; the kernel adds a quarter. Moving keys takes longer than adding them."""


class KeySet:
    """Says of keys of 16 bytes, which must be hashes, whether they are new. It takes 24 bytes of memory a key."""

    def __init__(self) -> None:
        self._instance = Instance()
        if not self._instance.function("reserveSet")(ROWS, 0):
            raise KernelError("ENGINE_UNAVAILABLE", f"no memory for {ROWS} keys")
        self._insert = self._instance.function("insertFingerprints")
        self._has = self._instance.function("hasFingerprints")
        self._reserve = self._instance.function("reserveFingerprints")
        self._room = 0
        self._keys_start = self._instance.number("fingerprints")
        self._marks_start = self._instance.number("marks")

    def __len__(self) -> int:
        return self._instance.number("seenCount")

    def add(self, keys: memoryview) -> bytes:
        """Add keys that follow each other; return a byte for each: 1 if it is new, else 0.

        Raises `SET_FULL` without memory.
        """
        wanted = len(self) + len(keys) // KEY_BYTES
        if self._room < wanted < _QUICK_GROWTH:
            self._room = 2 * wanted
            self._reserve(self._room)
        return self._marks(self._insert, keys)

    def has(self, keys: memoryview) -> bytes:
        """Return a byte for each of keys that follow each other: 1 if it is in the set, else 0."""
        return self._marks(self._has, keys)

    def _marks(self, ask: Callable[[int], int], keys: memoryview) -> bytes:
        marks = bytearray()
        for first in range(0, len(keys), KEY_BYTES * ROWS):
            piece = bytes(keys[first : first + KEY_BYTES * ROWS])
            count = len(piece) // KEY_BYTES
            # An address is void after the table grew.
            address, _ = self._instance.memory()
            ctypes.memmove(address + self._keys_start, piece, len(piece))
            if ask(count) == _FAILED:
                raise SeenError(
                    "SET_FULL",
                    f"there is no memory for more than {len(self)} keys in one set: divide them "
                    "among more, in Spark by spark.sql.shuffle.partitions",
                )
            address, _ = self._instance.memory()
            marks += ctypes.string_at(address + self._marks_start, count)
        return bytes(marks)
