"""Files of rules."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..._errors import OptionError
from ..hosts import NormalHost
from ..tables import EXCEPTION, RULES_HEADER
from .exception import add_exception
from .host_circle import Place, find_host_circle
from .rule import Rule
from .rule_line import parse_line
from .texts import bad_rule

_LINE_END = re.compile("\r?\n")
#: The space of JavaScript, after the name of the format.
_HEADER = re.compile(
    "#urlmill-rules(?:[\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]|\\Z)"
)


@dataclass(frozen=True)
class Source:
    """The text of a file of rules, and how messages name it."""

    name: str
    text: str


def read_sources(rules: str | os.PathLike[str] | Iterable[os.PathLike[str]]) -> list[Source]:
    """Return what the option ``rules`` holds: a text, the file of a path, or several files."""
    if isinstance(rules, str):
        return [Source("the rules", rules)]
    paths = [rules] if isinstance(rules, os.PathLike) else rules
    return [_read(Path(path)) for path in paths]


def parse_rules(sources: Sequence[Source], normal_host: NormalHost) -> list[Rule]:
    """Read rules in their order; raise ``BAD_RULES``, which names the first wrong line and why.

    Each text is the header, then a rule a line, as TSV or as a JSON object. The exceptions of a
    rule follow it, a line each. Empty lines, lines that begin with ``#`` and a byte order mark at
    the beginning are skipped.
    """
    placed: list[tuple[Rule, Place]] = []
    exceptions: list[set[str]] = []
    # The rules of the files before, which may be concatenated.
    before = 0
    for file, source in enumerate(sources):
        for number, line in enumerate(_LINE_END.split(source.text.removeprefix("\ufeff")), 1):
            try:
                if number > 1 and line.startswith(EXCEPTION):
                    if len(placed) == before:
                        raise bad_rule("an exception needs a rule above it")
                    add_exception(placed[-1][0], line.removeprefix(EXCEPTION), exceptions[-1])
                    continue
                if line == RULES_HEADER:
                    before = len(placed)
                read = _parse_line(line, number == 1, normal_host)
            except OptionError as error:
                raise _at(source, number, error.message) from error
            if read is not None:
                placed.append((read, Place(file, number)))
                exceptions.append(set(read.exceptions))
    circle = find_host_circle(placed)
    if circle is not None:
        place, reason = circle
        raise _at(sources[place.file], place.line, reason)
    rules = zip(placed, exceptions, strict=True)
    return [
        replace(rule, exceptions=frozenset(texts)) if texts else rule for (rule, _), texts in rules
    ]


def _parse_line(line: str, is_first: bool, normal_host: NormalHost) -> Rule | None:
    is_header = _HEADER.match(line) is not None
    if is_first and not is_header:
        raise bad_rule(f'a file of rules begins with the line "{RULES_HEADER}"')
    if not is_first and line.startswith("\ufeff"):
        raise bad_rule("it begins with a byte order mark, which only a file can; remove the mark")
    if is_header and line != RULES_HEADER:
        raise bad_rule(f'"{line}" is another version than "{RULES_HEADER}"')
    return None if line == "" or line.startswith("#") else parse_line(line, normal_host)


def _read(path: Path) -> Source:
    try:
        return Source(str(path), path.read_bytes().decode())
    except UnicodeDecodeError as error:
        raise OptionError("BAD_RULES", f"{path} is not a file of rules: {error}") from error


def _at(source: Source, line: int, reason: str) -> OptionError:
    return OptionError("BAD_RULES", f"line {line} of {source.name}: {reason}")
