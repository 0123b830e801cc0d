"""What a mistyped option or value most likely means: the twin of ``src/base/nearest.ts``."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: The most edits of a mistyped name. With more edits, it is another word.
_MAX_EDITS = 2
#: The longest name that may be mistyped. A longer one comes from a stranger, and comparing it takes long.
_LONGEST_NAME = 100
#: From this length on, a word is taken for a longer one that begins with it.
_STEM = 4
_WORD = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def option_suggestion(typed: str, names: Sequence[str]) -> str:
    """Return ``; did you mean x?``, or an empty text if no option is near."""
    return _did_you_mean(_nearest_option(typed, names))


def suggestion(typed: str, names: Sequence[str]) -> str:
    """Return ``; did you mean x?``, or an empty text if no value is near."""
    return _did_you_mean(_nearest(typed, names))


def _did_you_mean(name: str | None) -> str:
    return "" if name is None else f"; did you mean {name}?"


def _nearest_option(typed: str, names: Sequence[str]) -> str | None:
    if len(typed) > _LONGEST_NAME:
        return None
    letters = [_letters(name) for name in names]
    near = _nearest(_letters(typed), letters)
    if near is not None:
        return names[letters.index(near)]
    words = _words(typed)
    scores = [_share(words, _words(name)) for name in names]
    most = max(scores)
    return names[scores.index(most)] if most > 0 and scores.count(most) == 1 else None


def _nearest(typed: str, names: Sequence[str]) -> str | None:
    if len(typed) > _LONGEST_NAME:
        return None
    found = None
    least: float = min(_MAX_EDITS + 1, len(typed) / 2)
    for name in names:
        edits = _edits(typed, name)
        if edits < least:
            found, least = name, edits
    return found


def _edits(a: str, b: str) -> int:
    """Return the number of characters to insert, delete, replace or swap with the next."""
    before: list[int] = []
    above = list(range(len(b) + 1))
    for row in range(1, len(a) + 1):
        line = [row]
        for column in range(1, len(b) + 1):
            changed = above[column - 1] + (a[row - 1] != b[column - 1])
            best = min(above[column] + 1, line[column - 1] + 1, changed)
            swapped = (
                row > 1
                and column > 1
                and a[row - 1] == b[column - 2]
                and a[row - 2] == b[column - 1]
            )
            line.append(min(best, before[column - 2] + 1) if swapped else best)
        before, above = above, line
    return above[len(b)]


def _letters(name: str) -> str:
    return re.sub("[-_]", "", name).lower()


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


def _share(typed: Sequence[str], option: Sequence[str]) -> float:
    """Count the words of an option that a name shares, and then how much of the option they are."""
    shared = sum(any(_alike(word, other) for other in typed) for word in option)
    return shared + shared / (len(option) + 1)


def _alike(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    return short == long or (len(short) >= _STEM and long.startswith(short))
