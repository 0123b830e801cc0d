"""Records of lists: where their URLs are, and how they are written again. What is not the URL stays byte for byte."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .._errors import OptionError
from .json_values import Value, value_at

NORMALIZED = b"normalized_url"
"""The column that `--emit both` adds."""
_COLUMN = re.compile(r"[1-9][0-9]{0,5}")


class Record(NamedTuple):
    """Is one record: its bytes, what ends it, where the URL is in them, and the URL."""

    text: bytes
    end: bytes
    spans: list[tuple[int, int]]
    url: bytes | None
    is_header: bool = False

    @property
    def is_other(self) -> bool:
        """Say whether it is a header, or a line without anything, which is no record of CSV and JSON lines."""
        return self.is_header or (self.url is None and self.text == b"")


class Lines:
    """Reads and writes lines that are URLs."""

    def records(self, lines: Iterable[bytes], name: str) -> Iterator[Record]:
        for line in lines:
            text, end = _without_end(line)
            yield Record(text, end, [(0, len(text))], text)

    def unread(self, record: Record) -> bytes:
        return record.text + b"\n"

    def normalized(self, record: Record, url: bytes) -> bytes:
        return url + b"\n"

    def with_url(self, record: Record, url: bytes | None) -> bytes:
        return (url or b"") + b"\t" + record.text + record.end

    def value(self, record: Record) -> bytes:
        """Return nothing: a line has no other values."""
        return b""


class _KeptEnds:
    """Is a format whose records keep what ends them."""

    def unread(self, record: Record) -> bytes:
        """Return a record as it was."""
        return record.text + record.end


class JsonLines(_KeptEnds):
    """Reads and writes JSON lines. `path` leads to the URL, and `value` to that by which records are chosen."""

    def __init__(self, path: str, value: str = "") -> None:
        self._path = path.split(".")
        self._value = value.split(".")

    def records(self, lines: Iterable[bytes], name: str) -> Iterator[Record]:
        for line in lines:
            text, end = _without_end(line)
            written, found = _found(text, self._path)
            if found is None or not isinstance(found.value, str):
                yield Record(text, end, [], None)
                continue
            start = len(written[: found.start].encode())
            span = start, start + len(written[found.start : found.end].encode())
            yield Record(text, end, [span], _encoded(found.value))

    def value(self, record: Record) -> bytes:
        """Return the value by which a record is chosen: a text, or a number, true or false as it is written."""
        text, found = _found(record.text, self._value)
        if found is None or found.value is None or isinstance(found.value, (dict, list)):
            return b""
        if isinstance(found.value, str):
            return _encoded(found.value)
        return text[found.start : found.end].encode()

    def normalized(self, record: Record, url: bytes) -> bytes:
        return _replaced(record, json.dumps(url.decode()).encode()) + record.end

    def with_url(self, record: Record, url: bytes | None) -> bytes:
        body = record.text.rstrip(b" \t")
        if url is None and not _is_object(record.text):
            return record.text + record.end
        value = b"null" if url is None else json.dumps(url.decode()).encode()
        comma = b"" if body[1:-1].strip() == b"" else b","
        added = comma + b'"' + NORMALIZED + b'":' + value + b"}"
        return body[:-1] + added + record.text[len(body) :] + record.end


class Csv(_KeptEnds):
    """Reads and writes CSV, whose first record names the columns unless `header` says otherwise.

    `value` names the column by which records are chosen.
    """

    def __init__(self, field: str, delimiter: str, header: bool | None, value: str = "") -> None:
        self._field = field
        self._value = value
        self._delimiter = delimiter.encode()
        cell = re.escape(self._delimiter)
        self._cell = re.compile(b'"(?:[^"]|"")*"|[^' + cell + b'\r\n"][^' + cell + b"\r\n]*|")
        self._column = _number_of(field)
        self._value_column = _number_of(value)
        self._header = has_header(field, header)
        self._width = 0
        self._first_header: bytes | None = None

    def records(self, lines: Iterable[bytes], name: str) -> Iterator[Record]:
        begins = self._header
        for text, end in self._joined(lines):
            spans = self._cells(text)
            if begins:
                begins = False
                self._take_header(text, spans, name)
                yield Record(text, end, [], None, is_header=True)
                continue
            yield self._record(text, end, spans)

    def _record(self, text: bytes, end: bytes, spans: list[tuple[int, int]]) -> Record:
        """Return a record; one with other cells than the header has no URL."""
        is_whole = len(spans) == self._width or not self._header
        if not is_whole or len(spans) <= self._column or text == b"":
            return Record(text, end, [], None)
        span = spans[self._column]
        return Record(text, end, [span], _unquoted(text[slice(*span)]))

    def value(self, record: Record) -> bytes:
        """Return the cell by which a record is chosen."""
        spans = self._cells(record.text)
        has_cells = len(spans) == self._width or not self._header
        if not has_cells or len(spans) <= self._value_column:
            return b""
        return _unquoted(record.text[slice(*spans[self._value_column])])

    def _take_header(self, text: bytes, spans: list[tuple[int, int]], file: str) -> None:
        if self._first_header not in (None, text):
            raise OptionError(
                "BAD_OPTION",
                f"{file} has another header than the file before it; give files of equal columns",
            )
        self._first_header = text
        self._width = len(spans)
        names = [_unquoted(text[slice(*span)]).decode("utf-8", "replace") for span in spans]
        if self._column < 0:
            self._column = _place(self._field, names, file)
        if self._value != "" and self._value_column < 0:
            self._value_column = _place(self._value, names, file)

    def _joined(self, lines: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Return records without what ends them. A line end within quotes does not end one."""
        held: list[bytes] = []
        quotes = 0
        for line in lines:
            held.append(line)
            quotes += line.count(b'"')
            if quotes % 2 == 0:
                yield _without_end(b"".join(held))
                held = []
        if held:
            yield _without_end(b"".join(held))

    def _cells(self, text: bytes) -> list[tuple[int, int]]:
        cells, at = [], 0
        while True:
            found = self._cell.match(text, at)
            end = at if found is None else found.end()
            if text[end : end + 1] not in (b"", self._delimiter):
                end = (text + self._delimiter).index(self._delimiter, end)
            cells.append((at, end))
            if end >= len(text):
                return cells
            at = end + 1

    def normalized(self, record: Record, url: bytes) -> bytes:
        return _replaced(record, self._quoted(url)) + record.end

    def with_url(self, record: Record, url: bytes | None) -> bytes:
        if record.is_header:
            return record.text + self._delimiter + NORMALIZED + record.end
        if not record.spans:
            return record.text + record.end
        return record.text + self._delimiter + self._quoted(url or b"") + record.end

    def _quoted(self, url: bytes) -> bytes:
        return (
            b'"' + url.replace(b'"', b'""') + b'"' if self._delimiter in url or b'"' in url else url
        )


Format = Lines | JsonLines | Csv


def check_field(kind: str, field: str | None, header: bool | None) -> None:
    """Raise `OptionError` if records of this kind do not have such a field, or no header."""
    if header is not None and kind == "lines":
        raise OptionError("BAD_OPTION", "header needs a format with columns (csv): lines has none")
    if field is None:
        return
    if kind == "lines":
        raise OptionError(
            "BAD_OPTION",
            "field needs a format with fields (csv, jsonl, parquet): lines has its URL in one place",
        )
    if header is False and _number_of(field) < 0:
        raise OptionError(
            "BAD_OPTION",
            f'field is "{field}", a name, but without a header no column has one; give its number',
        )


def has_header(field: str, header: bool | None) -> bool:
    """Say whether the first record of CSV names the columns: where no flag says so, unless the field is a number."""
    return _number_of(field) < 0 if header is None else header


def field_name(kind: str, field: str) -> str:
    """Return what no record has, for an error."""
    if kind == "jsonl":
        return f"a text in the field {field}"
    return f"the field {field}" if _number_of(field) < 0 else f"a field number {field}"


def _number_of(field: str) -> int:
    """Return the place of a column that is named by its number, else -1."""
    return int(field) - 1 if _COLUMN.fullmatch(field) else -1


def _place(name: str, names: list[str], file: str) -> int:
    if name not in names:
        message = (
            f'{file}: no column "{name}" in the CSV header; the columns are {", ".join(names)}'
        )
        raise OptionError("BAD_OPTION", message)
    return names.index(name)


def _found(line: bytes, path: list[str]) -> tuple[str, Value | None]:
    """Return a line as text and what a path leads to; None for a line that is not JSON."""
    try:
        text = line.decode()
        return text, value_at(text, path)
    except (ValueError, RecursionError):
        return "", None


def _is_object(line: bytes) -> bool:
    return _found(line, [])[1] is not None


def _encoded(text: str) -> bytes:
    """Return text in UTF-8. Halves of surrogates, which it does not have, are replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _without_end(line: bytes) -> tuple[bytes, bytes]:
    text = line.removesuffix(b"\n").removesuffix(b"\r") if line.endswith(b"\n") else line
    return text, line[len(text) :] or b"\n"


def _unquoted(cell: bytes) -> bytes:
    if len(cell) > 1 and cell.startswith(b'"') and cell.endswith(b'"'):
        return cell[1:-1].replace(b'""', b'"')
    return cell


def _replaced(record: Record, value: bytes) -> bytes:
    text = record.text
    for start, end in reversed(record.spans):
        text = text[:start] + value + text[end:]
    return text
