"""Tables of CSV: which cell of each record is the URL, and how it is written again."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from .._errors import OptionError
from .csv_records import cells_of, records_of, unquoted
from .messages import listed, shown_input
from .quotes import OpenQuotes
from .records import (
    NORMALIZED,
    JsonLines,
    KeptEnds,
    Lines,
    Record,
    added_twice,
    has_header,
    number_of,
    replaced_urls,
    without_end,
)

Cells = list[tuple[int, int]]
_FOR_EXCEL = re.compile(rb"sep=([\t !#-~])\r?\n")
"""A first line that tells Excel the delimiter."""
_URL = re.compile(rb"[a-z][a-z0-9+.-]*://", re.I)


class Csv(KeptEnds):
    """Reads and writes CSV, whose first record with anything names the columns unless `header` says otherwise.

    `value` names the column by which records are chosen. `quotes` gets what is doubtful. `adds` says whether a column
    is added. Without a delimiter, it is that of a line for Excel, or a semicolon if the table has the field by
    semicolons, and one column by commas.
    """

    def __init__(
        self,
        field: str,
        delimiter: str | None,
        header: bool | None,
        value: str = "",
        quotes: OpenQuotes | None = None,
        *,
        adds: bool = False,
    ) -> None:
        self._field = field
        self._value = value
        self._adds = adds
        self.quotes = quotes or OpenQuotes()
        self._delimiter = (delimiter or ",").encode()
        self._is_open = delimiter is None
        self._column = number_of(field)
        self._value_column = number_of(value)
        self._header = has_header(field, header)
        self._width = 0
        self._first_header: bytes | None = None

    def records(self, lines: Iterable[bytes], name: str) -> Iterator[Record]:
        begins = self._header
        self.quotes.begin(name)
        if self._is_open:
            lines = self._find_delimiter(iter(lines))
        for row, doubts in records_of(lines, self._delimiter):
            text, end = without_end(row)
            if begins and text == b"sep=" + self._delimiter:
                yield Record(text, end, [], None, is_header=True)
                continue
            if begins and text != b"":
                begins = False
                self.quotes.check_header(doubts)
                self._take_header(text, name)
                yield Record(text, end, [], None, is_header=True)
                continue
            yield self._record(text, end, self.quotes.take(doubts))

    def _find_delimiter(self, lines: Iterator[bytes]) -> Iterable[bytes]:
        """Find the delimiter by the first rows. Return all lines.

        Raise `OptionError` for a line for Excel without a header.
        """
        taken: list[bytes] = []

        def first() -> Iterator[bytes]:
            for line in lines:
                taken.append(line)
                yield line

        rows: list[list[bytes]] = []
        for row, _ in records_of(first(), b";"):
            self._is_open = False
            found = _FOR_EXCEL.fullmatch(row) if len(taken) == 1 else None
            if found is not None:
                self._delimiter = found[1]
                if not self._header:
                    raise _line_before_rows(found[1].decode())
                break
            text, _ = without_end(row)
            if text.strip() != b"":
                rows.append(_texts(text, b";"))
            if len(rows) == 2:
                break
        if self._header and self._column < 0 and _has_semicolons(rows, taken, self._field):
            self._delimiter = b";"
        return chain(taken, lines)

    def _record(self, text: bytes, end: bytes, fault: str) -> Record:
        """Return a record; one with other cells than the header has no URL."""
        cells = self._cells(text)
        if cells is None or len(cells) <= self._column or text == b"":
            return Record(text, end, [], None, fault=fault)
        span = cells[self._column]
        return Record(text, end, [span], unquoted(text[slice(*span)]))

    def _cells(self, text: bytes) -> Cells | None:
        """Return the cells of a record, None if it cannot be read or has others than the header."""
        cells = cells_of(text, self._delimiter)
        if isinstance(cells, str) or (self._header and len(cells) != self._width):
            return None
        return cells

    def value(self, record: Record) -> bytes:
        """Return the cell by which a record is chosen."""
        cells = self._cells(record.text)
        if cells is None or len(cells) <= self._value_column:
            return b""
        return unquoted(record.text[slice(*cells[self._value_column])])

    def _take_header(self, text: bytes, name: str) -> None:
        file = shown_input(name)
        if self._first_header not in (None, text):
            raise OptionError(
                "BAD_OPTION",
                f"{file} has another header than the file before it; give files of equal columns",
            )
        self._first_header = text
        cells = cells_of(text, self._delimiter)
        if isinstance(cells, str):
            raise OptionError("BAD_OPTION", f"{file}: the CSV header cannot be read: {cells}")
        self._width = len(cells)
        names = [_name_of(unquoted(text[slice(*span)])) for span in cells]
        # In the order of Node.
        if self._value != "":
            self._value_column = _place(self._value, self._value_column, names, file)
        self._column = _place(self._field, self._column, names, file)
        if self._adds and NORMALIZED.decode() in names:
            raise added_twice("column", file)

    def normalized(self, record: Record, url: bytes) -> bytes:
        return replaced_urls(record, self._quoted(url)) + record.end

    def with_url(self, record: Record, url: bytes | None) -> bytes:
        if record.is_header and record.text != b"sep=" + self._delimiter:
            return record.text + self._delimiter + NORMALIZED + record.end
        if not record.spans:
            return record.text + record.end
        return record.text + self._delimiter + self._quoted(url or b"") + record.end

    def _quoted(self, url: bytes) -> bytes:
        return (
            b'"' + url.replace(b'"', b'""') + b'"' if self._delimiter in url or b'"' in url else url
        )


Format = Lines | JsonLines | Csv


def begins_table(head: bytes, field: str) -> bool:
    """Say whether a first line is for Excel, or names columns with semicolons between, one of which is the field."""
    names = _texts(head.split(b"\n", 1)[0].strip(), b";")
    return _FOR_EXCEL.match(head) is not None or (len(names) > 1 and field.encode() in names)


def names_columns(line: bytes, field: str) -> bool:
    """Say whether a line names columns with commas or tabs between, one of which is the field."""
    rows = [_texts(line, delimiter) for delimiter in (b",", b"\t")]
    return any(len(names) > 1 and field.encode() in names for names in rows)


def _has_semicolons(rows: list[list[bytes]], lines: list[bytes], field: str) -> bool:
    """Say whether the first rows by semicolons are a table with the field and URLs, which has one column by commas."""
    if len(rows) < 2 or len(rows[0]) < 2 or len(rows[1]) != len(rows[0]):
        return False
    by_comma = [_texts(without_end(line)[0], b",") for line in lines if line.strip() != b""]
    if len(by_comma[0]) > 1 or (by_comma[0] == [] and any(len(row) > 1 for row in by_comma)):
        return False
    has_url = b"url" in rows[0] or any(_URL.match(cell) for row in rows for cell in row)
    return has_url and field.encode() in rows[0]


def _texts(text: bytes, delimiter: bytes) -> list[bytes]:
    """Return what the cells of a row say; nothing for one that cannot be read."""
    cells = cells_of(text, delimiter)
    return [] if isinstance(cells, str) else [unquoted(text[slice(*span)]) for span in cells]


def _line_before_rows(delimiter: str) -> OptionError:
    name = "tab" if delimiter == "\t" else f"'{delimiter}'"
    return OptionError(
        "BAD_OPTION",
        "the first line is for Excel, and no header follows: give --header if one does; or leave the line out: "
        f"tail -n +2 FILE | urlmill … --delimiter {name}",
    )


def _name_of(cell: bytes) -> str:
    """Return the name of a column. One that is not UTF-8 has a character for each byte."""
    try:
        return cell.decode()
    except UnicodeDecodeError:
        return cell.decode("latin-1")


def _place(name: str, column: int, names: list[str], file: str) -> int:
    """Return the place of a column. Raise `OptionError` if there is no such column, or there are two."""
    what = ""
    if column >= len(names):
        what = f"no column {column + 1}"
    elif column < 0 and name not in names:
        what = f'no column "{name}"'
    elif column < 0 and names.count(name) > 1:
        what = f'two columns "{name}"'
    if what == "":
        return names.index(name) if column < 0 else column
    message = f"{file}: {what} in the CSV header; the columns are {listed(names)}"
    raise OptionError("BAD_OPTION", message)
