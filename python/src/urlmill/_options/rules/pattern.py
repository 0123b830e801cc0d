"""Patterns and templates of rules as texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ..messages import bad_rule
from ..tables import ANY_BYTES, LONGEST_PATTERN, MARKS, RUNS, SHORTEST
from .rule import Element, Pattern, Template
from .texts import check_dots, unescape

#: The mark of each element that has one wherever it stands.
_MARK_OF = {kind: mark for mark, kind in MARKS.items()}
#: Marks that only the pattern of a path has.
_PATH_MARKS = {"*": "segment", "...": "rest"}

_PIECES = re.compile(r"<[^<>]*>|\.\.\.|\*|(?:\\.|(?!\.\.\.)[^<*\\])+|[<\\]", re.DOTALL)
_TEMPLATE_PIECES = re.compile(r"<[^<>]*>|(?:\\.|[^<\\])+|[<\\]", re.DOTALL)
_WITH_LENGTH = re.compile("<([NHT])([1-9][0-9]{0,3})>")
_CAPTURE = re.compile("<([1-9])>")


def parse_pattern(text: str, place: str) -> Pattern:
    """Read the pattern of a ``path``, of a ``value``, or of a ``substring`` of path and query.

    Raises ``BAD_RULES`` for a pattern that could never match, or would have to look back.
    """
    elements: list[Element] = []
    for piece in _PIECES.findall(text):
        kind = MARKS.get(piece) or (_PATH_MARKS.get(piece) if place == "path" else None)
        run = _WITH_LENGTH.fullmatch(piece)
        if kind is not None and (kind != "end" or place != "value"):
            elements.append(Element(kind))
        elif run is not None:
            elements.append(Element(MARKS[f"<{run[1]}>"], length=int(run[2])))
        elif place == "value" and piece == ANY_BYTES:
            elements.append(Element("rest"))
        elif _is_mark(piece):
            raise bad_rule("mark_of_pattern", piece, ", ".join(MARKS))
        else:
            _add_text(elements, unescape(piece))
    if len(elements) > LONGEST_PATTERN:
        raise _too_many("pattern")
    _check_pattern(elements, text, place)
    return tuple(elements)


def parse_template(text: str, captures: int) -> Template:
    """Read a template; raise ``BAD_RULES`` for a capture that the pattern does not have."""
    if "#" in text:
        raise _fragment(text)
    template: list[str | int] = []
    for piece in _TEMPLATE_PIECES.findall(text):
        capture = _CAPTURE.fullmatch(piece)
        if capture is not None:
            if int(capture[1]) > captures:
                raise bad_rule("no_capture", piece)
            template.append(int(capture[1]))
        elif _is_mark(piece):
            raise bad_rule("mark_of_template", piece)
        else:
            template.append(unescape(piece))
    if len(template) > LONGEST_PATTERN:
        raise _too_many("template")
    return tuple(template)


def _too_many(what: str) -> Exception:
    return bad_rule("too_many", what, LONGEST_PATTERN)


def captures_of(pattern: Pattern) -> list[Element]:
    """Return the elements that templates can copy, in order; their numbers begin with 1."""
    return [element for element in pattern if element.kind not in ("text", "end")]


def text_length(pattern: Pattern) -> int:
    """Count the bytes of the pattern's own, without its captures."""
    return sum(len(element.text) for element in pattern)


def shortest_capture(element: Element) -> int:
    """Count the bytes that a capture of this element has at least."""
    return element.length or SHORTEST[element.kind]


def shortest_match(pattern: Pattern) -> int:
    """Count the bytes that a pattern matches at least."""
    return text_length(pattern) + sum(map(shortest_capture, captures_of(pattern)))


def _is_mark(piece: str) -> bool:
    """Return whether a piece is a mark. As in the TypeScript expression, a mark holds no line end."""
    return re.fullmatch("<[^\n\r\u2028\u2029]*>", piece) is not None


def _add_text(elements: list[Element], text: str) -> None:
    last = elements[-1] if elements else None
    if last is None or last.kind not in ("text", "segment", "rest"):
        elements.append(Element("text", text))
    elif last.kind == "segment" and "/" in text:
        slash = text.index("/")
        elements[-1] = Element("segment", last.text + text[:slash])
        elements.append(Element("text", text[slash:]))
    else:
        elements[-1] = Element(last.kind, last.text + text)


def _check_pattern(elements: Sequence[Element], text: str, place: str) -> None:
    first = elements[0] if elements else Element("end")
    if place == "path" and not (first.kind == "text" and first.text.startswith("/")):
        raise bad_rule("path_start", text)
    if place == "substring" and first.kind != "text":
        raise bad_rule("text_start", text)
    for element, following in pairwise(elements):
        _check_neighbours(element, following, text)
    if place == "path":
        _check_path(elements, text)
    elif place == "substring":
        _check_start_of_runs(elements, text)
    if "#" in text:
        raise _fragment(text)


def _check_neighbours(element: Element, following: Element, text: str) -> None:
    kind = element.kind
    if kind == "end":
        raise bad_rule("after_end", text)
    if kind == "rest":
        raise bad_rule("after_rest", text)
    if kind == "text":
        return
    if following.kind not in (("text",) if kind == "segment" else ("text", "end")):
        raise bad_rule("between_marks", text)
    # A run takes all the bytes that it can, so a text that begins with such a byte never follows it.
    if following.kind == "text" and _is_in_run(kind, following.text[:1]):
        raise bad_rule("end_of_run", text, following.text[0], _MARK_OF[kind])


def _check_path(elements: Sequence[Element], text: str) -> None:
    if any(element.kind in ("end", "word") for element in elements):
        raise bad_rule("mark_in_path", text)
    if "?" in text:
        raise bad_rule("more_than_path", text)
    for place, element in enumerate(elements, 1):
        if element.kind == "text":
            check_dots(element.text, place == len(elements))
        if element.kind == "rest":
            check_dots(element.text, True)


def _check_start_of_runs(elements: Sequence[Element], text: str) -> None:
    """Refuse a run whose bytes could each begin a match, which would read the run again."""
    for before, element in pairwise(elements):
        last = before.text[-1:] if before.kind == "text" else ""
        if _is_in_run(element.kind, elements[0].text[:1]) and _is_in_run(element.kind, last):
            raise bad_rule("start_of_run", text, last, _MARK_OF[element.kind])


def _is_in_run(kind: str, character: str) -> bool:
    run = RUNS.get(kind)
    return run is not None and re.fullmatch(run, character) is not None


def _fragment(text: str) -> Exception:
    return bad_rule("fragment", text)
