"""Arrow columns of text on their way into the kernel and out of it. No Python string is made for a row."""

import ctypes
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from ._kernel import ROWS, Kernel
from ._status import Status
from ._texts import Window

_LONGEST_SMALL = 2**31 - 1
"""Bytes that Int32 offsets reach."""
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
    import pyarrow as pa
    import pyarrow.compute as pc

    rows = len(column)
    if rows == 0:
        return
    _, offsets_buffer, data_buffer = column.buffers()
    data_address = 0 if data_buffer is None else data_buffer.address
    large = is_large(column.type)
    offset_type = pa.int64() if large else pa.int32()
    offsets_bytes = memoryview(offsets_buffer).cast("B")
    offsets = offsets_bytes.cast("q") if large else offsets_bytes.cast("i")
    offsets = offsets[column.offset : column.offset + rows + 1]
    first = 0
    while first < rows:
        begin = offsets[first]
        if not kernel.has_room(offsets[first + 1] - begin):
            yield Window(first, 1, -1)
            first += 1
            continue
        last = min(first + ROWS, rows)
        end = bisect_right(offsets, begin + kernel.capacity, first, last + 1) - 1
        ctypes.memmove(
            kernel.address + kernel.input_start, data_address + begin, offsets[end] - begin
        )
        starts = pa.Array.from_buffers(
            offset_type, end - first + 1, [None, offsets_buffer], offset=column.offset + first
        )
        starts = pc.subtract(starts, starts[0])
        if large:
            starts = starts.cast(pa.int32())
        ctypes.memmove(
            kernel.address + kernel.in_offsets_start,
            starts.buffers()[1].address + 4 * starts.offset,
            4 * len(starts),
        )
        done = kernel.normalize_column(end - first)
        yield Window(first, done, 0)
        first += done


def normalize_column(kernel: Kernel, column: Any) -> tuple[Any, Any]:
    """Normalize an Arrow array of (large) string or binary.

    Return an array of the same type, null where there is no normal form, and the status as UInt8Array. An array of
    string or binary whose normal forms pass 2 GiB comes back as large_string or large_binary.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    given = column
    if given.null_count > 0:
        # The bytes of a null may be anything, so none of them may come out.
        column = given.fill_null("")
    large = is_large(column.type)
    offset_type = pa.int64() if large else pa.int32()
    data, status = bytearray(), bytearray()
    ends = [pa.array([0], offset_type)]
    for _, rows, ending in column_windows(kernel, column):
        before = len(data)
        if ending < 0:
            status += _ROW_TOO_LONG
            ends.append(pa.array([before], offset_type))
            continue
        status += kernel.status(rows)
        data += kernel.output(rows)
        if not large and len(data) > _LONGEST_SMALL:
            large, offset_type = True, pa.int64()
            ends = [end.cast(offset_type) for end in ends]
        address = kernel.address + kernel.out_offsets_start + 4
        view = pa.Array.from_buffers(pa.int32(), rows, [None, pa.foreign_buffer(address, 4 * rows)])
        if large:
            view = view.cast(offset_type)
        # Always copies, because the next call overwrites the kernel's memory.
        ends.append(pc.add(view, ends[-1][-1]))
    codes = uint8_array(status)
    if given.null_count > 0:
        codes = pc.if_else(given.is_valid(), codes, pa.scalar(Status.NOT_A_STRING, pa.uint8()))
    are_valid = validity(codes)
    nulls = len(codes) - are_valid.true_count
    offsets = pa.concat_arrays(ends).buffers()[1]
    valid = are_valid.buffers()[1] if nulls > 0 else None
    kind = large_type(column.type) if large else column.type
    buffers = [valid, offsets, pa.py_buffer(data)]
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
