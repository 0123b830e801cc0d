"""Lines of files of rules and of aliases."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from .._errors import OptionError
from .messages import bad_rule, says

T = TypeVar("T")

_LINE_END = re.compile("\r?\n")
#: The space of JavaScript, or the end, after the name of the format.
_AFTER_NAME = re.compile("[\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]|\\Z")
#: What a file is called, where its text belongs.
_NAME_OF_A_FILE = re.compile(r"[^\t\n ]+\.[A-Za-z0-9_]+")


class Place(NamedTuple):
    """Where a line stands: which of the files, and the line from 1 on."""

    file: int
    line: int


@dataclass(frozen=True)
class Source:
    """The text of a file, and how messages name it."""

    name: str
    text: str


def read_sources(
    given: str | os.PathLike[str] | Iterable[os.PathLike[str]], kind: str
) -> list[Source]:
    """Return what an option holds: a text, the file of a path, or several files of a kind."""
    if isinstance(given, str):
        if _NAME_OF_A_FILE.fullmatch(given):
            raise OptionError(
                "BAD_RULES", says("name_of_a_file", kind, given) + ", or a pathlib.Path"
            )
        return [Source(f"the {kind}", given)]
    paths = [given] if isinstance(given, os.PathLike) else given
    return [_read(Path(path), kind) for path in paths]


def data_lines(
    sources: Sequence[Source], header: str, kind: str, read: Callable[[str, int], T]
) -> Iterator[tuple[T, Place]]:
    """Read each line of texts that begin with the header; raise ``BAD_RULES``, which names the line.

    Empty lines, lines that begin with ``#`` and a byte order mark at the beginning are skipped.
    ``read`` also gets the number of headers so far: files may be concatenated.
    """
    headers = 0
    for file, source in enumerate(sources):
        for number, line in enumerate(_LINE_END.split(source.text.removeprefix("\ufeff")), 1):
            place = Place(file, number)
            try:
                _check_header(line, number == 1, header, kind)
                headers += line == header
                if line == "" or line.startswith("#"):
                    continue
                value = read(line, headers)
            except OptionError as error:
                raise wrong_line(sources, place, error.message) from error
            yield value, place


def wrong_line(sources: Sequence[Source], place: Place, reason: str) -> OptionError:
    """Return the ``BAD_RULES`` error for a line."""
    return OptionError("BAD_RULES", f"line {place.line} of {sources[place.file].name}: {reason}")


def _check_header(line: str, is_first: bool, header: str, kind: str) -> None:
    name = header.partition(" ")[0]
    is_header = line.startswith(name) and _AFTER_NAME.match(line, len(name)) is not None
    if is_first and not is_header:
        raise bad_rule("header", kind, header)
    if not is_first and line.startswith("\ufeff"):
        raise bad_rule("mark")
    if is_header and line != header:
        raise bad_rule("version", line, header)


def _read(path: Path, kind: str) -> Source:
    try:
        return Source(str(path), path.read_bytes().decode())
    except UnicodeDecodeError as error:
        raise OptionError("BAD_RULES", f"{path} is not a file of {kind}: {error}") from error
