"""What a URL must have for a rule to be looked at, as masks (src/plan/rule-layout.ts)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from ..tables import ANY_BYTES, BIT, FACT
from .rule import Action, Pattern, Rule

_MASK = (1 << 64) - 1
_MULTIPLIER = 0x9E3779B97F4A7C15
#: Bits of a URL from 0 up stand for its parameters' names; the others come after them.
_NAME_BITS = BIT["UNSORTED"]
#: Bytes of a path that are compared with its beginning.
_HEAD = 8

_ENDS_PARAM = re.compile("[?&;]")
_WITH_NAMES = ("drop", "keep", "dropif", "set", "sort", "unwrap")
#: The bits that actions ask for besides names.
_ACTION_BITS = {
    "keep": "QUERY",
    "unwrap": "QUERY",
    "sort": "UNSORTED",
    "lower": "UPPER",
    "scheme": "HTTP",
}


class Masks(NamedTuple):
    """The masks of one rule, in the order in which a plan holds them."""

    all: int
    any: int
    head: int
    head_mask: int
    values: int


@lru_cache(maxsize=4096)
def name_hash(name: str) -> int:
    """Return the hash of a name: 32 bits, of which the last seven are 0."""
    return _high(_bytes_at(name, 0) + len(name)) >> 7 << 7


def site_hash(site: str) -> int:
    """Return the hash of a site, from its length and first sixteen bytes: 32 bits."""
    second = _bytes_at(site, 8) * _MULTIPLIER & _MASK
    return _high((_bytes_at(site, 0) ^ second) + len(site))


def bits_of(names: Iterable[str]) -> int:
    """Return the bits of names."""
    return reduce(or_, map(_bits_of_name, names), 0)


def _bits_of_name(name: str) -> int:
    if ANY_BYTES in name:
        return (1 << _NAME_BITS) - 1
    return 1 << (name_hash(name) * _NAME_BITS >> 32)


def masks_of(rule: Rule) -> Masks:
    """Return what a URL must have for the rule to be looked at."""
    action = rule.action
    head = _longest_head(paths_of(rule))
    return Masks(
        all=_bits_needed(rule),
        any=bits_of(action.params) if action.kind in ("drop", "unwrap") else 1 << BIT["ALWAYS"],
        head=_bytes_at(head, 0),
        head_mask=(1 << (8 * len(head))) - 1,
        values=_values_needed(rule),
    )


def paths_of(rule: Rule) -> list[Pattern]:
    """Return the patterns that the whole path must match."""
    paths = [] if rule.condition.path is None else [rule.condition.path]
    return [*paths, rule.action.source] if rule.action.kind == "path" else paths


def wakes_of(rules: Sequence[Rule]) -> list[int]:
    """Return, as bits for each 64 rules, the rules that may match after a parameter was removed."""
    wakes = [0] * (-(-len(rules) // 64))
    for place, rule in enumerate(rules):
        action = rule.action
        is_woken = (
            # What it makes without the parameter may not be an exception.
            len(rule.exceptions) > 0
            or (action.kind == "sub" and not is_local(action))
            # After a removed parameter, another one may be the first of its name.
            or action.kind in ("sink", "unwrap")
            or any(test.kind == "absent" for test in rule.condition.params)
            or any(test.kind != "absent" for each in rule.unless for test in each.condition.params)
        )
        wakes[place >> 6] |= is_woken << (place & 63)
    return wakes


def is_local(action: Action) -> bool:
    """Return whether every match lies within one parameter, the `&` or `;` before it included."""
    if action.kind != "sub":
        return False
    texts = [element.text if element.kind == "text" else "" for element in action.source]
    first = texts[0][1:] if texts[0].startswith(("&", ";")) else texts[0]
    has_end = any(element.kind == "end" for element in action.source)
    return not has_end and not any(_ENDS_PARAM.search(text) for text in [first, *texts[1:]])


def facts_of(rule: Rule) -> int:
    """Return the ``FACT`` bits of a rule."""
    kind = rule.action.kind
    is_named = kind in _WITH_NAMES or rule.condition.params or rule.unless
    facts = FACT["NAMES"] if is_named else 0
    facts |= FACT["ORDER"] if kind == "sort" else 0
    return facts | (FACT["CASE"] if kind == "lower" else 0)


def _bits_needed(rule: Rule) -> int:
    action = rule.action
    bits = bits_of(test.name for test in rule.condition.params if test.kind != "absent")
    if action.kind in ("set", "dropif"):
        is_many = ANY_BYTES in action.params[0]
        bits |= 1 << BIT["QUERY"] if is_many else bits_of(action.params)
    asked = _ACTION_BITS.get(action.kind)
    return bits if asked is None else bits | 1 << BIT[asked]


def _values_needed(rule: Rule) -> int:
    pairs = [(test.name, test.value) for test in rule.condition.params if test.kind == "equal"]
    action = rule.action
    if action.kind == "dropif" and not action.source and ANY_BYTES not in action.params[0]:
        pairs.append((rule.action.params[0], rule.action.text))
    return reduce(or_, (_value_bit(name, value) for name, value in pairs), 0)


def _value_bit(name: str, value: str) -> int:
    hashed = name_hash(name) << 32
    return 1 << (_high(_bytes_at(value, 0) + len(value) + hashed) >> 26)


def _longest_head(patterns: Iterable[Pattern]) -> str:
    """Return the longest text, of up to eight bytes, that begins every path that all patterns match."""
    heads = [paths[0].text[:_HEAD] if paths[0].kind == "text" else "" for paths in patterns]
    return max(heads, key=len, default="")


def _bytes_at(text: str, start: int) -> int:
    """Eight bytes as a little-endian number, zeros after the end of the text."""
    return int.from_bytes(text[start : start + 8].encode("ascii"), "little")


def _high(mixed: int) -> int:
    return (mixed * _MULTIPLIER & _MASK) >> 32
