"""Arrow columns of text on their way into the kernel and out of it. No Python string is made for a row."""

import ctypes
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from ._kernel import ROWS, Kernel
from ._status import Status
from ._texts import RESULTS, Window

_LONGEST_SMALL = 2**31 - 1
"""Bytes that Int32 offsets reach."""
OFFSET_BYTES = 4
"""Bytes of an offset of the kernel."""
_FEW = 64
"""Offsets that are sooner moved by Python than by Arrow."""
_ROW_TOO_LONG = bytes([Status.TOO_LONG])


def is_large(text_type: Any) -> bool:
    """Say whether the offsets of a type of text have 64 bits."""
    import pyarrow as pa

    return bool(pa.types.is_large_string(text_type) or pa.types.is_large_binary(text_type))


def large_type(text_type: Any) -> Any:
    """Return a type of text with offsets of 64 bits."""
    import pyarrow as pa

    if is_large(text_type):
        return text_type
    return pa.large_string() if pa.types.is_string(text_type) else pa.large_binary()


def column_windows(kernel: Kernel, column: Any) -> Iterator[Window]:
    """Normalize an Arrow array of (large) string or binary, window by window.

    The bytes of nulls go in, too: mask these rows.
    """
    rows = len(column)
    if rows == 0:
        return
    _, offsets_buffer, data_buffer = column.buffers()
    data_address = 0 if data_buffer is None else data_buffer.address
    large = is_large(column.type)
    offsets = memoryview(offsets_buffer).cast("B").cast("q" if large else "i")
    offsets = offsets[column.offset : column.offset + rows + 1]
    first = 0
    while first < rows:
        begin = offsets[first]
        if not kernel.has_room(offsets[first + 1] - begin):
            yield Window(first, 1, -1)
            first += 1
            continue
        last = min(first + ROWS, rows)
        end = last
        if offsets[last] - begin > kernel.capacity:
            end = bisect_right(offsets, begin + kernel.capacity, first, last + 1) - 1
        length = offsets[end] - begin
        ctypes.memmove(kernel.address + kernel.input_start, data_address + begin, length)
        _write_starts(kernel, offsets[first : end + 1])
        done = kernel.normalize_column(end - first)
        yield Window(first, done, 0)
        first += done


def _write_starts(kernel: Kernel, offsets: memoryview) -> None:
    """Write offsets for the kernel: as Int32, from 0 on."""
    begin, count = offsets[0], len(offsets)
    if begin == 0 and offsets.itemsize == OFFSET_BYTES:
        kernel.in_offsets[:count] = offsets
    elif count <= _FEW:
        kernel.in_offsets[:count] = array("i", [offset - begin for offset in offsets])
    else:
        import pyarrow as pa
        import pyarrow.compute as pc

        kind = pa.int64() if offsets.itemsize > OFFSET_BYTES else pa.int32()
        given = pa.Array.from_buffers(kind, count, [None, pa.py_buffer(offsets)])
        starts = pc.subtract(given, pa.scalar(begin, kind)).cast(pa.int32())
        kernel.in_offsets[:count] = memoryview(starts.buffers()[1]).cast("i")[:count]


class _Written:
    """Gathers what the kernel wrote for the windows of a column."""

    def __init__(self, large: bool) -> None:
        self.large = large
        self.data = bytearray()
        self.status = bytearray()
        self._ends: list[Any] = []

    def add(self, kernel: Kernel, rows: int) -> None:
        """Add the rows of the last call."""
        before = len(self.data)
        self.status += kernel.status(rows)
        self.data += kernel.output(rows)
        self.large = self.large or len(self.data) > _LONGEST_SMALL
        self._ends.append(self._moved(bytes(kernel.out_offsets[: rows + 1]), before))

    def add_too_long(self) -> None:
        """Add a row that the kernel did not see."""
        self.status += _ROW_TOO_LONG
        self._ends.append(self._moved(bytes(2 * OFFSET_BYTES), len(self.data)))

    def _moved(self, offsets: bytes, before: int) -> Any:
        """Return offsets that begin after `before` bytes, without the first of all windows but one."""
        import pyarrow as pa

        count = len(offsets) // OFFSET_BYTES
        ends = pa.Array.from_buffers(pa.int32(), count, [None, pa.py_buffer(offsets)])
        if self.large:
            ends = ends.cast(pa.int64())
        if not self._ends:
            return ends
        from pyarrow import compute as pc

        return pc.add(ends.slice(1), pa.scalar(before, ends.type))

    def offsets(self) -> Any:
        """Return the buffer of offsets."""
        import pyarrow as pa

        if not self._ends:
            return pa.py_buffer(bytes(2 * OFFSET_BYTES))
        if self.large:
            self._ends = [ends.cast(pa.int64()) for ends in self._ends]
        ends = self._ends[0] if len(self._ends) == 1 else pa.concat_arrays(self._ends)
        return ends.buffers()[1]

    def has_errors(self) -> bool:
        """Say whether a row has an error."""
        return len(self.status.translate(None, RESULTS)) > 0


def normalize_column(kernel: Kernel, column: Any) -> tuple[Any, Any]:
    """Normalize an Arrow array of (large) string or binary.

    Return an array of the same type, null where there is no normal form, and the status as UInt8Array. An array of
    string or binary whose normal forms pass 2 GiB comes back as large_string or large_binary.
    """
    import pyarrow as pa

    given = column
    if given.null_count > 0:
        # The bytes of a null may be anything, so none of them may come out.
        column = given.fill_null("")
    written = _Written(is_large(column.type))
    for _, rows, ending in column_windows(kernel, column):
        if ending < 0:
            written.add_too_long()
        else:
            written.add(kernel, rows)
    codes = uint8_array(written.status)
    if given.null_count > 0:
        from pyarrow import compute as pc

        codes = pc.if_else(given.is_valid(), codes, pa.scalar(Status.NOT_A_STRING, pa.uint8()))
    valid, nulls = None, 0
    if given.null_count > 0 or written.has_errors():
        are_valid = validity(codes)
        valid, nulls = are_valid.buffers()[1], len(codes) - are_valid.true_count
    kind = large_type(column.type) if written.large else column.type
    buffers = [valid, written.offsets(), pa.py_buffer(written.data)]
    values = pa.Array.from_buffers(kind, len(column), buffers, null_count=nulls)
    return values, codes


def uint8_array(data: bytes | bytearray) -> Any:
    """Return bytes as a UInt8Array over the same memory."""
    import pyarrow as pa

    return pa.Array.from_buffers(pa.uint8(), len(data), [None, pa.py_buffer(data)])


def validity(codes: Any) -> Any:
    """Return a BooleanArray in which rows are true whose status is not an error."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.less_equal(codes, pa.scalar(Status.CHANGED, pa.uint8()))
