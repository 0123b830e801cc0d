"""Schemas of what the files of a set say (src/seen/folder/shape.ts)."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from .._errors import SeenError

Shape = Callable[[Any], "str | None"]
"""Says where a value is not what it must be, as `.logs[0].rows` does; None if it is right everywhere."""

_MOST = (1 << 53) - 1
"""The greatest whole number that Node has."""


def whole(least: int, most: int = _MOST) -> Shape:
    """Return the shape of a whole number from `least` to `most`."""
    return lambda value: None if type(value) is int and least <= value <= most else ""


def text(pattern: str) -> Shape:
    """Return the shape of a text that matches as a whole."""
    whole_text = re.compile(pattern, re.DOTALL)
    return lambda value: None if isinstance(value, str) and whole_text.fullmatch(value) else ""


def one(*values: object) -> Shape:
    """Return the shape of one of a few values."""
    return lambda value: None if any(type(value) is type(v) and value == v for v in values) else ""


def or_null(shape: Shape) -> Shape:
    """Return the shape of None, or of what another shape has."""
    return lambda value: None if value is None else shape(value)


def list_of(item: Shape) -> Shape:
    """Return the shape of a list of any length whose items are alike."""
    return lambda value: _first_wrong(value, [item] * len(value)) if type(value) is list else ""


def tuple_of(*items: Shape) -> Shape:
    """Return the shape of a list of as many items as there are shapes."""
    return lambda value: (
        _first_wrong(value, items) if type(value) is list and len(value) == len(items) else ""
    )


def _first_wrong(values: "list[Any]", shapes: Any) -> "str | None":
    for at, (value, shape) in enumerate(zip(values, shapes, strict=True)):
        where: str | None = shape(value)
        if where is not None:
            return f"[{at}]{where}"
    return None


def fields(needed: Mapping[str, Shape], others: "Mapping[str, Shape] | None" = None) -> Shape:
    """Return the shape of an object that has some fields, and may have others. What it has besides does not count."""

    def check(value: Any) -> "str | None":
        if type(value) is not dict:
            return ""
        for name, shape in {**needed, **(others or {})}.items():
            if name not in value and name not in needed:
                continue
            where = shape(value.get(name, _NOTHING))
            if where is not None:
                return f".{name}{where}"
        return None

    return check


_NOTHING = object()


def parse_shape(data: bytes, shape: Shape, name: str) -> Any:
    """Read JSON of a certain shape. Raise `SEEN_CORRUPT` for any other text; `name` is of its file."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise SeenError("SEEN_CORRUPT", f"{name} is damaged: it is not JSON") from error
    where = shape(value)
    if where is None:
        return value
    what = f"no set has this value of {where}" if where else "it holds something else"
    raise SeenError("SEEN_CORRUPT", f"{name} is damaged: {what}")
