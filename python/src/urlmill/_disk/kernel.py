"""The kernel that does the byte work of a set on disk."""

import ctypes
from collections.abc import Callable

from .._errors import SeenError
from .._wasm import DISK_KERNEL, Instance


class DiskKernel:
    """Holds one instance of the kernel. Its functions have the names of assembly/disk/index.ts."""

    def __init__(self) -> None:
        self._instance = Instance(is_shared=True, module=DISK_KERNEL)
        self.number = self._instance.number
        self._renew_view()

    def __getattr__(self, name: str) -> Callable[..., int]:
        function = self._instance.function(name)
        setattr(self, name, function)
        return function

    def _renew_view(self) -> None:
        address, self.size = self._instance.memory()
        self.bytes = memoryview((ctypes.c_ubyte * self.size).from_address(address)).cast("B")

    def reserve_to(self, end: int) -> None:
        """Make the memory reach to `end`. Raise `SET_FULL` if the platform does not give it."""
        if end <= self.size:
            return
        if not self.reserve(end):
            raise SeenError(
                "SET_FULL", f"there are no {end} bytes of memory for the set: give it less memory"
            )
        self._renew_view()

    def view(self, at: int, length: int) -> memoryview:
        """Return a view of the memory, which is void after `reserve_to`."""
        return self.bytes[at : at + length]

    def words(self, at: int, count: int) -> memoryview:
        """Return a view of numbers of 32 bits."""
        return self.view(at, 4 * count).cast("I")

    def write(self, at: int, data: "bytes | bytearray | memoryview") -> None:
        """Write bytes into the memory."""
        self.bytes[at : at + len(data)] = data

    def copy(self, at: int, length: int, to: int) -> None:
        """Copy bytes within the memory."""
        self.bytes[to : to + length] = self.bytes[at : at + length]

    def checksum(self, at: int, length: int) -> str:
        """Return the XXH64 of a part of the memory, whose length is a multiple of 8, as text of 16 digits."""
        low = self.xxh64(at, at + length)
        return f"{self._instance.slots[1]:08x}{low:08x}"
