"""Ranges of numbers in the URLs of aliases (src/site-rules/aliases/number-range.ts)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from ..tables import RANGE

_RANGE = re.compile(RANGE, re.ASCII)
#: The last number of a URL. One in a range is written without zeros before it.
_LAST_NUMBER = re.compile("(?<![0-9])(0|[1-9][0-9]{0,8})([^0-9]*)\\Z")


class NumberRange(NamedTuple):
    """URLs that are equal but for their last number."""

    #: The URL with ``<`` in place of its last number: no normalized URL has that byte.
    shape: str
    first: int
    last: int

    def with_number(self, number: int) -> str:
        """Return the URL with a number."""
        return self.shape.replace("<", str(number))


R = TypeVar("R")


def range_in(source: str) -> NumberRange | None:
    """Return the range that the URL of an alias has."""
    found = _RANGE.fullmatch(source)
    if found is None:
        return None
    before, first, last, after = found.groups()
    return NumberRange(f"{before}<{after}", int(first), int(last))


def write_range(found: NumberRange) -> str:
    """Write a range as the URL of an alias."""
    return found.shape.replace("<", f"<{found.first}..{found.last}>")


def split_number(target: str) -> tuple[str, int] | None:
    """Return the shape of a URL and its last number, if a range can have that."""
    found = _LAST_NUMBER.search(target)
    return (f"{target[: found.start()]}<{found[2]}", int(found[1])) if found else None


def find_range(ranges: Mapping[str, Sequence[tuple[NumberRange, R]]], target: str) -> R | None:
    """Return what belongs to the range that has a URL; those of a shape are sorted."""
    split = split_number(target) if ranges else None
    own = ranges.get(split[0], ()) if split else ()
    if split is None or not own:
        return None
    at = bisect_right(own, split[1], key=lambda each: each[0].first) - 1
    return own[at][1] if at >= 0 and split[1] <= own[at][0].last else None
