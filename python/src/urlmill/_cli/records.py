"""Records of lists: where their URLs are, and how they are written again. What is not the URL stays byte for byte."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .._errors import OptionError

NORMALIZED = b"normalized_url"
"""The column that `--emit both` adds."""
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")


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

    def records(self, lines: Iterable[bytes]) -> Iterator[Record]:
        for line in lines:
            text, end = _without_end(line)
            yield Record(text, end, [(0, len(text))], text)

    def unread(self, record: Record) -> bytes:
        return record.text + b"\n"

    def normalized(self, record: Record, url: bytes) -> bytes:
        return url + b"\n"

    def with_url(self, record: Record, url: bytes | None) -> bytes:
        return (url or b"") + b"\t" + record.text + record.end


class _KeptEnds:
    """Is a format whose records keep what ends them."""

    def unread(self, record: Record) -> bytes:
        """Return a record as it was."""
        return record.text + record.end


class JsonLines(_KeptEnds):
    """Reads and writes JSON lines."""

    def __init__(self, path: str) -> None:
        self._path = path

    def records(self, lines: Iterable[bytes]) -> Iterator[Record]:
        for line in lines:
            text, end = _without_end(line)
            spans, url = self._find(text.decode("utf-8", "surrogateescape"))
            yield Record(text, end, spans, url)

    def _find(self, text: str) -> "tuple[list[tuple[int, int]], bytes | None]":
        """Return where values of the member are, in bytes, and the last of them that is a text."""
        spans, url = [], None
        try:
            for name, value, start, end in _members(text):
                if name == self._path and isinstance(value, str):
                    before = _bytes(text[:start])
                    spans.append((len(before), len(before) + len(_bytes(text[start:end]))))
                    url = _bytes(value)
        except ValueError:
            return [], None
        return spans, url

    def normalized(self, record: Record, url: bytes) -> bytes:
        return _replaced(record, json.dumps(url.decode()).encode()) + record.end

    def with_url(self, record: Record, url: bytes | None) -> bytes:
        body = record.text.rstrip(b" \t")
        if not body.startswith(b"{") or not body.endswith(b"}"):
            return record.text + record.end
        value = b"null" if url is None else json.dumps(url.decode()).encode()
        comma = b"" if body[1:-1].strip() == b"" else b","
        added = comma + b'"' + NORMALIZED + b'":' + value + b"}"
        return body[:-1] + added + record.text[len(body) :] + record.end


def _members(text: str) -> Iterator[tuple[str, object, int, int]]:
    """Return name, value, and place of the value, of each member of an object. Raise `ValueError` for another text."""

    def skip(at: int) -> int:
        found = _SPACE.match(text, at)
        return at if found is None else found.end()

    at = skip(0)
    if text[at : at + 1] != "{":
        raise ValueError("no object")
    json.loads(text)
    at = skip(at + 1)
    while text[at] != "}":
        name, at = _DECODER.raw_decode(text, at)
        start = skip(skip(at) + 1)
        value, at = _DECODER.raw_decode(text, start)
        yield name, value, start, at
        at = skip(at)
        at = skip(at + 1) if text[at] == "," else at


class Csv(_KeptEnds):
    """Reads and writes CSV, whose first record names the columns unless `header` says otherwise."""

    def __init__(self, field: str, delimiter: str, header: bool | None) -> None:
        self._field = field
        self._delimiter = delimiter.encode()
        cell = re.escape(self._delimiter)
        self._cell = re.compile(b'"(?:[^"]|"")*"|[^' + cell + b'\r\n"][^' + cell + b"\r\n]*|")
        self._header = not field.isdigit() if header is None else header
        self._column = int(field) - 1 if field.isdigit() else -1
        self._width = 0

    def records(self, lines: Iterable[bytes]) -> Iterator[Record]:
        begins = self._header
        for text, end in self._joined(lines):
            spans = self._cells(text)
            if begins:
                begins = False
                self._width = len(spans)
                self._choose([_unquoted(text[slice(*span)]).decode() for span in spans])
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

    def _choose(self, names: list[str]) -> None:
        if self._column >= 0:
            return
        if self._field not in names:
            message = (
                f'no column "{self._field}" in the CSV header; the columns are {", ".join(names)}'
            )
            raise OptionError("BAD_OPTION", message)
        self._column = names.index(self._field)

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


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


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
