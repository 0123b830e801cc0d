"""`dedupe --keep`: which record of each key is written. All but the first read their inputs twice."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from .._errors import OptionError
from .hand_over import Unsupported
from .messages import Stopped

_CHOICE = re.compile(r"(max|min):(.+)", re.S)
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?", re.I)
_WHOLE = re.compile(rb"[+-]?[0-9]{1,308}")


class Keep(NamedTuple):
    """Says which record of each key is written: the last, or the first with the greatest or least value of a column."""

    which: str
    column: str

    def __str__(self) -> str:
        return f"--keep {self.which}:{self.column}"


def keep_of(text: str | None) -> Keep | None:
    """Return what `--keep` says; None for the first record.

    Raise `OptionError` for another text, and `Unsupported` for a column of dates.
    """
    if text in (None, "first"):
        return None
    if text == "last":
        return Keep("last", "")
    found = _CHOICE.fullmatch(text or "")
    if found is None:
        raise OptionError(
            "BAD_OPTION", f'--keep is first, last, max:COLUMN or min:COLUMN, not "{text}"'
        )
    if found[2].endswith((":dmy", ":mdy")):
        raise Unsupported(f"--keep {text}")
    return Keep(found[1], found[2])


class Winners:
    """Finds which row of each key is written. Rows have numbers in their order, from 0 on."""

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._direction = 1 if keep.which == "max" else -1
        self._rows: dict[bytes, int] = {}
        self._best: dict[bytes, bytes] = {}
        self._count = 0

    def take(self, keys: Iterable[bytes | None], values: Iterable[bytes]) -> None:
        """Take the next rows. A row with an empty value loses, and one without a key is not written."""
        for key, value in zip(keys, values, strict=True):
            if key is not None and self._wins(key, value):
                self._rows[key] = self._count
            self._count += 1

    def _wins(self, key: bytes, value: bytes) -> bool:
        if self._keep.which == "last" or value == b"":
            return self._keep.which == "last" or key not in self._rows
        best = self._best.get(key)
        is_better = best is None or self._direction * compare_values(value, best) > 0
        if is_better:
            self._best[key] = value
        return is_better

    def chosen_keys(self) -> Iterable[bytes]:
        """Return all keys."""
        return self._rows

    def chosen(self) -> "Chosen":
        """Return what answers for the same rows when they are read again. Raise `OptionError` if none had a value."""
        if self._keep.column != "" and not self._best and self._rows:
            message = f"{self._keep}: no record has a value there; check the name"
            raise OptionError("BAD_OPTION", message)
        return Chosen(set(self._rows.values()), self._count)


class Chosen:
    """Says of rows that are read again whether they are written."""

    def __init__(self, rows: set[int], count: int) -> None:
        self._rows = rows
        self._count = count
        self._asked = 0

    def next(self) -> bool:
        """Say whether the next row is written."""
        row = self._asked
        self._asked += 1
        return row in self._rows

    def check_end(self) -> None:
        """Raise `Stopped` if there were other rows than those from which was chosen."""
        if self._asked != self._count:
            raise input_changed("an input was changed", LACKS_LINES)


LACKS_LINES = "the output lacks lines or repeats some"
"""What is written of inputs that were changed between their readings."""


def input_changed(what: str, written: str) -> Stopped:
    """Return the error of an input that is not the same in its second reading."""
    return Stopped(
        f"{what} between its two readings (INPUT_CHANGED): {written}; run again once it no longer changes"
    )


def compare_values(one: bytes, other: bytes) -> int:
    """Compare two decimal numbers as numbers, and other texts as bytes."""
    a, b = _number(one), _number(other)
    if a is None or b is None:
        return int(one > other) - int(one < other)
    if a == b and _WHOLE.fullmatch(one) and _WHOLE.fullmatch(other):
        # Doubles do not tell long numbers apart.
        return _sign(int(one), int(other))
    return _sign(a, b)


def _number(text: bytes) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None


def _sign(one: float, other: float) -> int:
    return int(one > other) - int(one < other)
