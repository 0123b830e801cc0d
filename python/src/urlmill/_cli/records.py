"""Records of lists: where their URLs are, and how they are written again. What is not the URL stays byte for byte."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .._errors import OptionError
from .._kernel import max_length_of
from .json_values import Value, value_at
from .messages import shown_input

NORMALIZED = b"normalized_url"
"""The column or member that `--emit both` adds."""
_COLUMN = re.compile(r"[1-9][0-9]{0,5}")
_HELD_BYTES = 1 << 22
"""The most bytes of a text over the limit of a URL that is compared (src/runs/base/text-keys.ts)."""


class Record(NamedTuple):
    """Is one record: its bytes, what ends it, where the URL is in them, and the URL."""

    text: bytes
    end: bytes
    spans: list[tuple[int, int]]
    url: bytes | None
    is_header: bool = False
    fault: str = ""
    """What is wrong with it, and where, if its quote is not closed."""

    @property
    def is_other(self) -> bool:
        """Say whether it is a header, or a line without anything, which is no record of CSV and JSON lines."""
        return self.is_header or (self.url is None and self.text == b"")


class Lines:
    """Reads and writes lines that are URLs."""

    def records(self, lines: Iterable[bytes], name: str) -> Iterator[Record]:
        for line in lines:
            text, end = without_end(line)
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


class KeptEnds:
    """Is a format whose records keep what ends them."""

    def unread(self, record: Record) -> bytes:
        """Return a record as it was."""
        return record.text + record.end


class JsonLines(KeptEnds):
    """Reads and writes JSON lines. `path` leads to the URL, and `value` to that by which records are chosen.

    `adds` says whether a member is added to them.
    """

    def __init__(self, path: str, value: str = "", *, adds: bool = False) -> None:
        self._path = path.split(".")
        self._value = value.split(".")
        self._adds = adds

    def records(self, lines: Iterable[bytes], name: str) -> Iterator[Record]:
        begins = self._adds
        for line in lines:
            text, end = without_end(line)
            if text.strip() == b"":
                yield Record(b"", text + end, [], None)
                continue
            if begins and _found(text, [NORMALIZED.decode()])[1] is not None:
                raise added_twice("member", shown_input(name))
            begins = False
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
        return replaced_urls(record, json.dumps(url.decode()).encode()) + record.end

    def with_url(self, record: Record, url: bytes | None) -> bytes:
        body = record.text.rstrip(b" \t\r")
        if url is None and not _is_object(record.text):
            return record.text + record.end
        value = b"null" if url is None else json.dumps(url.decode()).encode()
        comma = b"" if body.strip()[1:-1].strip() == b"" else b","
        added = comma + b'"' + NORMALIZED + b'":' + value + b"}"
        return body[:-1] + added + record.text[len(body) :] + record.end


def longest_text(plan: bytes) -> int:
    """Return the most bytes that a record without a URL may have to be compared. A longer one stays."""
    return max(_HELD_BYTES, max_length_of(plan) + 1)


def added_twice(what: str, file: str) -> OptionError:
    """Return the error of a file that has the column or member that `--emit both` adds."""
    return OptionError(
        "BAD_OPTION",
        f"--emit both adds the {what} {NORMALIZED.decode()}, which {file} has already; rename that first",
    )


def check_field(kind: str, field: str | None, header: bool | None) -> None:
    """Raise `OptionError` if records of this kind do not have such a field, or no header."""
    if header is not None and kind == "lines":
        raise OptionError("BAD_OPTION", "header needs a format with columns (csv): lines has none")
    if field is None:
        if header is False and kind == "csv":
            raise OptionError(
                "BAD_OPTION",
                "without a header no column is named url; give the number of one with --field",
            )
        return
    if kind == "lines":
        raise OptionError(
            "BAD_OPTION",
            "field needs a format with fields (csv, jsonl, parquet): lines has its URL in one place",
        )
    if header is False and number_of(field) < 0:
        raise OptionError(
            "BAD_OPTION",
            f'field is "{field}", a name, but without a header no column has one; give its number',
        )


def has_header(field: str, header: bool | None) -> bool:
    """Say whether the first record of CSV names the columns: where no flag says so, unless the field is a number."""
    return number_of(field) < 0 if header is None else header


def field_name(kind: str, field: str) -> str:
    """Return what no record has, for an error."""
    if kind == "jsonl":
        return f"a text in the field {field}"
    return f"the field {field}" if number_of(field) < 0 else f"a field number {field}"


def number_of(field: str) -> int:
    """Return the place of a column that is named by its number, else -1."""
    return int(field) - 1 if _COLUMN.fullmatch(field) else -1


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


def without_end(line: bytes) -> tuple[bytes, bytes]:
    """Return a record without what ends it, and its end. The last one of a list gets the LF that it may lack."""
    text = line.removesuffix(b"\n").removesuffix(b"\r")
    end = line[len(text) :]
    return text, end if end.endswith(b"\n") else end + b"\n"


def replaced_urls(record: Record, value: bytes) -> bytes:
    """Return a record with another URL."""
    text = record.text
    for start, end in reversed(record.spans):
        text = text[:start] + value + text[end:]
    return text
