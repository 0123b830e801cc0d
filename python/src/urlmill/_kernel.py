"""One instance of the kernel, laid out for a plan, a base and a window of input."""

import ctypes
import struct

from ._data_files import versions
from ._errors import KernelError, OptionError
from ._status import Status
from ._wasm import Instance

WINDOW_BYTES = 1 << 18
"""Bytes of input that a kernel has room for, unless one URL is longer."""
ROWS = 1 << 14
"""Rows that one call takes at most."""
KEY_BYTES = 16
"""Bytes of the key of fingerprints."""

_LONG = 1 << 12
"""Bytes of a URL from which on other threads run meanwhile: it takes so long that a slower call does not count."""
_HEADER_WORDS = 11
_FORM = 10
"""Where a plan says what rows become: two bytes."""


def check_plan(plan: bytes) -> bytes:
    """Return the plan. Raise `BAD_OPTION` for bytes that are not a plan of this release."""
    if len(plan) < 4 * _HEADER_WORDS or len(plan) % 4 != 0:
        raise OptionError("BAD_OPTION", "plan: these bytes are not what `urlmill plan` writes")
    (version,) = struct.unpack_from("<I", plan)
    known = versions()["plans"]
    if version not in known:
        raise OptionError(
            "BAD_OPTION",
            f"plan: is of version {version}, and this release reads {', '.join(map(str, known))}: "
            "make it anew with `urlmill plan` of the same release",
        )
    return plan


def plan_of_form(plan: bytes, form: int) -> bytes:
    """Return a plan whose rows become keys of web archives: 1, or 2 for keys with `www.`."""
    return plan[:_FORM] + struct.pack("<H", form) + plan[_FORM + 2 :]


def max_length_of(plan: bytes) -> int:
    """Return the longest URL in bytes that a plan lets pass."""
    (length,) = struct.unpack_from("<I", plan, 4)
    return int(length)


class Kernel:
    """Normalizes windows of input. Its views are void after `reserve`, and after the set in it grew."""

    def __init__(self, plan: bytes, is_shared: bool = False) -> None:
        self.instance = instance = Instance(is_shared)
        self.plan = plan
        self.max_length = max_length_of(plan)
        self.capacity = 0
        self.writes_surts = False
        """Whether rows of a batch come out as SURT forms."""
        self.base = b""
        """The base of calls: a normalized URL, or nothing for none."""
        self._base_capacity = 0
        self._reserve = instance.function("reserve")
        self._load_plan = instance.function("loadPlan")
        self._load_base = instance.function("loadBase")
        self._normalize_lines = instance.function("normalizeLines")
        self._normalize_column = instance.function("normalizeColumn")
        self._normalize_one = instance.bound("normalizeColumn", 1)
        self._fingerprint_rows = instance.function("fingerprintRows")
        self._split_fingerprints = instance.function("splitFingerprints")
        self._write_surts = instance.function("writeSurts")
        self._set_reasons = instance.function("setReasons")
        self._error_offset = instance.function("errorOffset", holds_gil=True)
        if not self.reserve(WINDOW_BYTES):
            raise KernelError(
                "ENGINE_UNAVAILABLE", f"no memory for a window of {WINDOW_BYTES} bytes"
            )

    def reserve(self, capacity: int) -> bool:
        """Make room for `capacity` bytes of input. Return False, and change nothing, without memory for it."""
        return self._lay_out(capacity, self._base_capacity)

    def _lay_out(self, capacity: int, base_capacity: int) -> bool:
        if not self._reserve(len(self.plan), base_capacity, capacity, ROWS):
            return False
        self.capacity = capacity
        self._base_capacity = base_capacity
        self.renew_views()
        self.load_plan(self.plan)
        self._write_base(self.base)
        return True

    def renew_views(self) -> None:
        """Make the views anew: memory that grows may move."""
        number = self.instance.number
        self.address, size = self.instance.memory()
        self.bytes = memoryview((ctypes.c_ubyte * size).from_address(self.address)).cast("B")
        self.input_start = number("inputStart")
        self.in_offsets_start = number("inOffsets")
        self.status_start = number("statusStart")
        self.output_start = number("outputStart")
        self.out_offsets_start = number("outOffsets")
        self.fingerprints_start = number("fingerprints")
        width = 4 * (ROWS + 1)
        self.in_offsets = self._words(self.in_offsets_start, width)
        self.out_offsets = self._words(self.out_offsets_start, width)

    def restore(self) -> None:
        """Make the kernel usable after a call that an error ended, perhaps between two steps of a change."""
        self.renew_views()
        self.load_plan(self.plan)
        self._write_base(b"")

    def _words(self, start: int, length: int) -> memoryview:
        return self.bytes[start : start + length].cast("i")

    def _write(self, start: int, data: bytes) -> None:
        self.bytes[start : start + len(data)] = data

    def load_plan(self, plan: bytes) -> None:
        """Load a plan, which has the length of the first one. Raise `BAD_OPTION` for one that the kernel refuses."""
        self.plan = plan
        self.max_length = max_length_of(plan)
        self._write(self.instance.number("planStart"), plan)
        if not self._load_plan():
            raise OptionError("BAD_OPTION", "plan: the bytes are damaged")

    def set_base(self, base: bytes) -> None:
        """Set the base of the calls that follow: a normalized URL, or nothing for none."""
        if base == self.base:
            return
        if len(base) <= self._base_capacity:
            self._write_base(base)
        elif not self._lay_out(self.capacity, len(base)):
            raise KernelError("ENGINE_UNAVAILABLE", f"no memory for a base of {len(base)} bytes")
        else:
            self._write_base(base)

    def _write_base(self, base: bytes) -> None:
        self._write(self.instance.number("baseStart"), base)
        self._load_base(len(base))
        self.base = base

    def has_room(self, length: int) -> bool:
        """Say whether a row of so many bytes fits; one within the limit gets the room it needs."""
        if length > self.max_length:
            return False
        return length <= self.capacity or self.reserve(length)

    def normalize(self, data: bytes) -> int:
        """Normalize one URL as UTF-8; return its status."""
        length = len(data)
        if length > self.capacity and not self.has_room(length):
            return Status.TOO_LONG
        memory, start = self.bytes, self.input_start
        memory[start : start + length] = data
        offsets = self.in_offsets
        offsets[0] = 0
        offsets[1] = length
        if length < _LONG:
            self._normalize_one()
        else:
            self._normalize_column(1)
        return memory[self.status_start]

    def reasons(self, data: bytes) -> tuple[int, int]:
        """Normalize one URL; return its status, and a bit for each step that changed it (assembly/README.md)."""
        self._set_reasons(1)
        try:
            code = self.normalize(data)
        finally:
            self._set_reasons(0)
        start = self.instance.number("reasonsStart")
        bits = int.from_bytes(self.bytes[start : start + 8], "little")
        return code, bits if code == Status.CHANGED else 0

    def url(self) -> str:
        """Return what `normalize` made of its URL."""
        start = self.output_start
        return str(self.bytes[start : start + self.out_offsets[1]], "ascii")

    def error_offset(self, data: bytes) -> int:
        """Return where in its URL, in bytes, the error is that `normalize` gave as status."""
        if len(data) > min(self.capacity, self.max_length):
            return min(self.max_length, len(data))
        return self._error_offset()

    def normalize_lines(self, length: int) -> int:
        """Normalize the lines in the first `length` bytes of the input; return how many were done."""
        return self._written(self._normalize_lines(length, 1), 1)

    def normalize_column(self, rows: int) -> int:
        """Normalize rows of the input that `in_offsets` tell; return how many were done."""
        return self._written(self._normalize_column(rows), 0)

    def _written(self, rows: int, ending: int) -> int:
        return self._write_surts(rows, ending) if self.writes_surts else rows

    def write_key(self, key: bytes) -> None:
        """Set the key of fingerprints, which `reserve` voids."""
        self._write(self.instance.number("fingerprintKey"), key)

    def fingerprint(self, rows: int, ending: int, texts: bool = False) -> memoryview:
        """Fingerprint rows of the last call without the `ending` bytes after each; return 16 bytes a row.

        A row with an error has zeros or, with `texts`, the fingerprint of its text and a LF.
        """
        self._fingerprint_rows(rows, ending, int(texts))
        start = self.fingerprints_start
        return self.bytes[start : start + 16 * rows]

    def fingerprint_text(self, text: bytes, key: bytes) -> bytes:
        """Return the fingerprint of a text and a LF, whatever the text is."""
        line = text + b"\n"
        if len(line) > self.capacity and not self.reserve(len(line)):
            raise KernelError("ENGINE_UNAVAILABLE", f"no memory for a text of {len(text)} bytes")
        # The output of a call that made one row without an error.
        self._write(self.output_start, line)
        self.out_offsets[0], self.out_offsets[1] = 0, len(line)
        self.bytes[self.status_start] = Status.CHANGED
        self.write_key(key)
        return bytes(self.fingerprint(1, 0))

    def fingerprint_urls(self, rows: int, ending: int, bits: int = 128) -> memoryview:
        """Fingerprint those rows of the last call that are URLs; return 16 or 8 bytes for each."""
        flat = self.fingerprint(rows, ending)
        failed = self.instance.number("failedRows")
        if failed == 0 and bits == 128:
            return flat
        self._split_fingerprints(rows, 1, bits, 0)
        start = self.output_start
        return self.bytes[start : start + (rows - failed) * (bits >> 3)]

    def status(self, rows: int) -> bytes:
        """Return one status byte for each row of the last call."""
        return bytes(self.bytes[self.status_start : self.status_start + rows])

    def output(self, rows: int) -> memoryview:
        """Return what the last call, of so many rows, wrote; it holds until the next."""
        start = self.output_start
        return self.bytes[start : start + self.out_offsets[rows]]
