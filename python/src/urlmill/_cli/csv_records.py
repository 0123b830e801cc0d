"""Where the records and cells of CSV are, as src/formats/tables/csv-records.ts finds them (RFC 4180).

A quote opens a cell only as its first character; elsewhere it is data. Two quotes in a cell with quotes are one. After
the quote that closes a cell come a separator, LF, CR LF, or the end. Otherwise the cell goes on to the next separator
or LF, and its row is malformed, if the cell has no line end yet. If it has one, its quote is not closed. Nor is it if
the input ends before, or LONGEST_RECORD bytes after the record began. Then the record ends with the line of the quote,
and the next line is a record again.
"""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO

LONGEST_RECORD = 1 << 26
"""The bytes of a record in which a quote must be closed."""
_MANY_LINES = 999
"""The most line ends of a cell that is not doubtful: it has 1,000 lines."""
_CLOSE = re.compile(rb'[^"]*(?:""[^"]*)*"(?!")')
"""What follows the quote that opens a cell, up to the one that closes it."""

Doubt = tuple[int, int | None]
"""Is a doubtful quote: the number of its line, and the lines of its cell, None if nothing closes it."""


class _Lines:
    """Gives lines with what ends them, and those that were given back again."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self._again = BytesIO()
        self._size = 0

    def next(self) -> bytes:
        """Return the next line, b"" at the end."""
        return self._again.readline() or next(self._lines, b"")

    def give_back(self, lines: bytes) -> None:
        """Take back the last lines that were given."""
        if self._again.tell() < self._size:
            # They were given again, as are all that follow them.
            self._again.seek(-len(lines), 1)
            return
        self._again = BytesIO(lines)
        self._size = len(lines)


def records_of(lines: Iterable[bytes], delimiter: bytes) -> Iterator[tuple[bytes, list[Doubt]]]:
    """Return the records of lines with what ends them, and their doubtful quotes."""
    source, number = _Lines(lines), 1
    while first := source.next():
        record, quote, doubts = _record(first, source, delimiter)
        if quote is not None:
            newline = record.find(b"\n", quote)
            end = len(record) if newline < 0 else newline + 1
            source.give_back(record[end:])
            record = record[:end]
            doubts.append((quote, None))
        line, last, named = number, 0, list[Doubt]()
        for at, count in doubts:
            line += record.count(b"\n", last, at)
            last = at
            named.append((line, count))
        yield record, named
        number = line + record.count(b"\n", last)


def _record(line: bytes, source: _Lines, delimiter: bytes) -> tuple[bytes, int | None, list[Doubt]]:
    """Return the record that begins with a line, and where a quote is that nothing closes.

    Also return where cells of many lines are, with their lines.
    """
    doubts: list[Doubt] = []
    if b'"' not in line:
        return line, None, doubts
    record, opening = bytearray(line), delimiter + b'"'
    quote = 0 if line.startswith(b'"') else _after(line.find(opening))
    while quote >= 0:
        close = _closing(record, quote + 1, source)
        if close < 0 or close >= LONGEST_RECORD:
            return bytes(record), quote, doubts
        if record.find(b"\n", quote, close) >= 0:
            if not _ends_cell(record, close + 1, delimiter):
                return bytes(record), quote, doubts
            count = record.count(b"\n", quote, close)
            if count > _MANY_LINES:
                doubts.append((quote, count + 1))
        quote = _after(record.find(opening, close + 1))
    return bytes(record), None, doubts


def _after(delimiter: int) -> int:
    return delimiter + 1 if delimiter >= 0 else -1


def _closing(record: bytearray, at: int, source: _Lines) -> int:
    """Return where the quote is that closes a cell, -1 for none. Add the lines up to it to the record."""
    while True:
        found = _CLOSE.match(record, at)
        if found is not None:
            return found.end() - 1
        # Quotes of a pair are in one line.
        at = len(record)
        line = source.next() if at < LONGEST_RECORD else b""
        if line == b"":
            return -1
        record += line


def _ends_cell(text: bytes | bytearray, at: int, delimiter: bytes) -> bool:
    byte = text[at : at + 1]
    return byte in (b"", b"\n", delimiter) or (
        byte == b"\r" and text[at + 1 : at + 2] in (b"", b"\n")
    )


def cells_of(text: bytes, delimiter: bytes) -> list[tuple[int, int]] | str:
    """Return where the cells of a record are, with their quotes, or what is wrong with it."""
    cells, at = [], 0
    while True:
        if text[at : at + 1] == b'"':
            found = _CLOSE.match(text, at + 1)
            if found is None:
                return "a quote that is not closed"
            end = found.end()
            if text[end : end + 1] not in (b"", delimiter):
                return "text after the closing quote of a field"
        else:
            end = text.find(delimiter, at)
            end = len(text) if end < 0 else end
        cells.append((at, end))
        if end >= len(text):
            return cells
        at = end + 1


def unquoted(cell: bytes) -> bytes:
    """Return what a cell says."""
    return cell[1:-1].replace(b'""', b'"') if cell.startswith(b'"') else cell
