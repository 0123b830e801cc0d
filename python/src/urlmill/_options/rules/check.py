"""Refuses rules under which URLs reach no fixpoint."""

from __future__ import annotations

from ..messages import bad_rule
from ..tables import ANY_SITE, DOMAIN
from .pattern import captures_of, shortest_capture, shortest_match, text_length
from .rule import Condition, Pattern, Rule, Template
from .texts import check_dots


def check_rule(rule: Rule) -> None:
    """Raise ``BAD_RULES`` for a rule that could make a URL longer, or as long and not smaller.

    What decreases with each step comes to an end.
    """
    action = rule.action
    if action.kind in ("sub", "path"):
        _check_decrease(action.source, action.to)
        if action.kind == "path":
            _check_path(action.to)
    if action.kind == "host":
        if rule.site == ANY_SITE:
            raise bad_rule("host_of_every_site")
        if rule.site.startswith(DOMAIN):
            raise bad_rule("host_of_domain")
        if rule.site == action.text:
            raise bad_rule("same_host", rule.site, action.text)
    if action.kind == "unwrap" and rule.site == ANY_SITE:
        raise bad_rule("unwrap_of_every_site")
    if action.kind == "sink":
        shortest = _shortest_target(rule.condition)
        if len(action.text) > shortest:
            raise bad_rule("long_target", action.text, shortest)


def _shortest_target(condition: Condition) -> int:
    """The fewest bytes of path and query of a URL for which the condition holds."""
    equal = {test.name for test in condition.params if test.kind == "equal"}
    needed = {
        f"{test.name}={test.value}" if test.kind == "equal" else test.name
        for test in condition.params
        if test.kind == "equal" or (test.kind == "present" and test.name not in equal)
    }
    path = 1 if condition.path is None else shortest_match(condition.path)
    return path + sum(1 + len(param) for param in needed)


def _check_path(to: Template) -> None:
    first = to[0] if to else ""
    if not isinstance(first, str) or not first.startswith("/"):
        raise bad_rule("new_path")
    for place, piece in enumerate(to, 1):
        if isinstance(piece, int):
            continue
        if "?" in piece:
            raise bad_rule("new_path_query")
        check_dots(piece, place == len(to))


def _check_decrease(source: Pattern, to: Template) -> None:
    copied = [piece for piece in to if isinstance(piece, int)]
    for place, number in enumerate(copied):
        if number in copied[:place]:
            raise bad_rule("copied_twice", number)
    dropped = sum(
        shortest_capture(element)
        for number, element in enumerate(captures_of(source), 1)
        if number not in copied
    )
    literal = sum(len(piece) for piece in to if isinstance(piece, str))
    decrease = text_length(source) + dropped - literal
    if decrease > 0 or (decrease == 0 and dropped == 0 and _is_smaller(source, to)):
        return
    raise bad_rule("longer" if decrease < 0 else "as_long")


def _is_smaller(source: Pattern, to: Template) -> bool:
    """Whether the first difference of pattern and template is a smaller byte in the template."""
    captures = 0
    before = ""
    for element in source:
        if element.kind not in ("text", "end"):
            captures += 1
            before += chr(captures)
        before += element.text
    after = "".join(piece if isinstance(piece, str) else chr(piece) for piece in to)
    for a, b in zip(before, after, strict=False):
        if a != b:
            return ord(a) > captures and captures < ord(b) < ord(a)
    return False
