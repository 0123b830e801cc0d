"""Values in a text of JSON, and where they are in it."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

_SPACE = re.compile(r"[ \t\n\r]*")
_CLOSING = {"[": "]", "{": "}"}
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")


class Value(NamedTuple):
    """Is a value, and the place of what is written for it."""

    value: object
    start: int
    end: int


def value_at(text: str, path: list[str]) -> Value | None:
    """Return what a path leads to in an object, None for nothing. Raise `ValueError` for a text that is not an object.

    A step leads to a member, or to an element by its number. Of members of one name the last counts, and of names with
    dots the longest.
    """
    try:
        return _value_at(text, path)
    except RecursionError:
        return _value_at(_shallow(text, len(path) + 1), path)


def _value_at(text: str, path: list[str]) -> Value | None:
    start = _after_space(text, 0)
    if text[start : start + 1] != "{":
        raise ValueError("no object")
    at = Value(_DECODER.decode(text), start, len(text))
    steps = path
    while steps:
        if isinstance(at.value, dict):
            members = dict(_members(text, at.start))
            names = (".".join(steps[:length]) for length in range(len(steps), 0, -1))
            step = next((name for name in names if name in members), None)
            if step is None:
                return None
            at, steps = members[step], steps[step.count(".") + 1 :]
        elif isinstance(at.value, list) and _INDEX.fullmatch(steps[0]):
            place = int(steps[0])
            if place >= len(at.value):
                return None
            at, steps = list(_elements(text, at.start))[place], steps[1:]
        else:
            return None
    return at


def _shallow(text: str, depth: int) -> str:
    """Return JSON with a number in place of each array and object within `depth` others; no place of the rest changes.

    Raise `ValueError` for other text. Unlike the decoder of Python, it reads any depth.
    """
    opened: list[int] = []
    pieces: list[str] = []
    at = written = 0
    while True:
        at = _after_space(text, at)
        if text[at : at + 1] in _CLOSING:
            opened.append(at)
            at = _after_space(text, at + 1)
            if text[at : at + 1] != _CLOSING[text[opened[-1]]]:
                at = _value_start(text, opened[-1], at)
                continue
        else:
            at = _DECODER.raw_decode(text, at)[1]
        while opened:
            at = _after_space(text, at)
            if text[at : at + 1] == ",":
                at = _value_start(text, opened[-1], at + 1)
                break
            start = opened.pop()
            if text[at : at + 1] != _CLOSING[text[start]]:
                raise ValueError("not closed")
            at += 1
            if len(opened) == depth:
                pieces += text[written:start], "0".ljust(at - start)
                written = at
        else:
            return "".join(pieces) + text[written:]


def _value_start(text: str, opened: int, at: int) -> int:
    """Return where the next value in an array or object begins, after its name. Raise `ValueError` for no name."""
    if text[opened] == "[":
        return at
    at = _after_space(text, at)
    if text[at : at + 1] != '"':
        raise ValueError("no name")
    at = _after_space(text, _DECODER.raw_decode(text, at)[1])
    if text[at : at + 1] != ":":
        raise ValueError("no colon")
    return at + 1


def _members(text: str, start: int) -> Iterator[tuple[str, Value]]:
    """Return the names and values of an object."""
    at = _after_space(text, start + 1)
    while text[at] != "}":
        name, at = _DECODER.raw_decode(text, at)
        value = _value(text, _after_space(text, at) + 1)
        yield name, value
        at = _next(text, value.end)


def _elements(text: str, start: int) -> Iterator[Value]:
    """Return the values of an array."""
    at = _after_space(text, start + 1)
    while text[at] != "]":
        value = _value(text, at)
        yield value
        at = _next(text, value.end)


def _value(text: str, at: int) -> Value:
    start = _after_space(text, at)
    value, end = _DECODER.raw_decode(text, start)
    return Value(value, start, end)


def _next(text: str, end: int) -> int:
    """Return where what follows a value begins: a value, a name, or the end of all."""
    at = _after_space(text, end)
    return _after_space(text, at + 1) if text[at] == "," else at


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _null(_constant: str) -> None:
    """Read `NaN`, `Infinity` and `-Infinity` as null, as Node's command does."""


# Numbers of any length are read, as Node reads them. Their text counts, and not their value.
_DECODER = json.JSONDecoder(parse_int=float, parse_constant=_null)
