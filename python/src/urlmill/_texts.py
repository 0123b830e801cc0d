"""Windows of texts: `str` and `bytes` on their way into the kernel and out of it."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, compress
from typing import NamedTuple

from ._kernel import ROWS, Kernel
from ._status import Status

Text = str | bytes

_JOINED = 2048
"""Texts that go in together: enough to share the call, few enough to stay in the cache."""
_TOO_LONG = bytes([Status.TOO_LONG])


class Window(NamedTuple):
    """Locates rows whose results are in the kernel.

    `ending` counts the bytes that end each output row: 1 for lines, else 0. It is -1 where the kernel did not see the
    row, because it is too long.
    """

    first: int
    rows: int
    ending: int


def utf8(text: Text) -> bytes:
    """Return a text as UTF-8, in which a lone surrogate is U+FFFD. Bytes are taken as they are."""
    if isinstance(text, bytes):
        return text
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def text_windows(kernel: Kernel, texts: Sequence[Text]) -> Iterator[Window]:
    """Normalize texts window by window; between two, the caller reads what the kernel made.

    Texts go in joined as lines where that is safe: none is `bytes`, holds a CR or LF, or a lone surrogate.
    """
    first, joined = 0, _JOINED
    while first < len(texts):
        some = texts[first : first + joined]
        data = _as_lines(some)
        if data is not None and len(data) > kernel.capacity and len(some) > 1:
            joined = len(some) // 2
            continue
        rows = len(some)
        if data is not None and len(data) <= kernel.capacity:
            start = kernel.input_start
            kernel.bytes[start : start + len(data)] = data
            done = kernel.normalize_lines(len(data))
            # A text with a LF would be two lines.
            if done == rows and kernel.in_offsets[rows] == len(data):
                yield Window(first, rows, 1)
                first += rows
                continue
        for window in _column_windows(kernel, [utf8(text) for text in some]):
            yield Window(first + window.first, window.rows, window.ending)
        first += rows


def _as_lines(texts: Sequence[Text]) -> bytes | None:
    try:
        text = "\n".join(texts)  # type: ignore[arg-type]
        return None if "\r" in text else text.encode() + b"\n"
    except (TypeError, UnicodeEncodeError):
        return None  # bytes, or a lone surrogate: the caller writes each text by itself


def _column_windows(kernel: Kernel, rows: Sequence[bytes]) -> Iterator[Window]:
    offsets = list(accumulate(map(len, rows), initial=0))
    first = 0
    while first < len(rows):
        begin = offsets[first]
        if not kernel.has_room(offsets[first + 1] - begin):
            yield Window(first, 1, -1)
            first += 1
            continue
        last = min(first + ROWS, len(rows))
        end = bisect_right(offsets, begin + kernel.capacity, first, last + 1) - 1
        data = b"".join(rows[first:end])
        start = kernel.input_start
        kernel.bytes[start : start + len(data)] = data
        for row in range(first, end + 1):
            kernel.in_offsets[row - first] = offsets[row] - begin
        done = kernel.normalize_column(end - first)
        yield Window(first, done, 0)
        first += done


def normalize_texts(kernel: Kernel, texts: Sequence[Text]) -> tuple[list[str | None], bytes]:
    """Normalize texts. Return the normal forms, None where there is none, and one status byte a text.

    A `str` that was in normal form comes back as the very same object.
    """
    values: list[str | None] = list(texts)  # type: ignore[arg-type]
    status = bytearray()
    for first, rows, ending in text_windows(kernel, texts):
        if ending < 0:
            values[first] = None
            status += _TOO_LONG
            continue
        codes = kernel.status(rows)
        status += codes
        surts = kernel.writes_surts
        if ending == 1 and not surts and codes.count(Status.UNCHANGED) == rows:
            continue
        output = str(kernel.output(rows), "ascii")
        if ending == 1:
            lines = output.split("\n")
            for row in range(rows) if surts else compress(range(rows), codes):
                values[first + row] = lines[row]
        else:
            ends = kernel.out_offsets[: rows + 1].tolist()
            for row in range(rows):
                if surts or codes[row] != 0 or isinstance(texts[first + row], bytes):
                    values[first + row] = output[ends[row] : ends[row + 1]]
        if max(codes) > Status.CHANGED:
            for row in compress(range(rows), codes.translate(IS_ERROR)):
                values[first + row] = None
    return values, bytes(status)


RESULTS = bytes([Status.UNCHANGED, Status.CHANGED])
"""The status bytes of rows without an error."""
IS_ERROR = bytes([0, 0]) + bytes([1]) * 254
"""Translates status bytes: 1 for an error, else 0."""
