"""Conditions of rules as texts."""

from __future__ import annotations

import re

from ..tables import QUERY_BYTES
from .pattern import parse_pattern
from .rule import Condition, ParamTest
from .texts import bad_rule, split_escaped, unescape

#: The name of a parameter that has none, as in ``?=x`` and ``?&&``.
_NO_NAME = '""'


def parse_condition(text: str) -> Condition:
    """Read ``PATH ?TEST&TEST``: either may be missing, ``*`` alone is any URL of the site."""
    if text in ("*", ""):
        return Condition()
    first, *others = text.split(" ")
    if len(others) > 1:
        raise bad_rule(f'the condition "{text}" has more than a path and parameters')
    if first.startswith("?"):
        if others:
            raise bad_rule(f'in "{text}" the path must come first')
        return Condition(params=_parse_tests(first))
    return Condition(
        None if first == "*" else parse_pattern(first, is_path=True),
        _parse_tests(others[0]) if others else (),
    )


def param_name(text: str) -> str:
    """Read a name; raise ``BAD_RULES`` for one that no parameter can have."""
    if text == _NO_NAME:
        return ""
    if text == "":
        raise bad_rule(
            f"a name is missing: write the name of a parameter without a name as {_NO_NAME}"
        )
    name = param_text(text)
    if "=" in name:
        raise bad_rule(f'no parameter is named "{name}"')
    return name


def param_text(text: str) -> str:
    """Read a name or a value; raise ``BAD_RULES`` if it holds what ends a parameter."""
    plain = unescape(text, QUERY_BYTES)
    end = re.search("[&;#]", plain)
    if end is not None:
        raise bad_rule(f'"{plain}" is not part of a parameter: {end[0]} ends it')
    return plain


def _parse_tests(text: str) -> tuple[ParamTest, ...]:
    if not text.startswith("?") or text == "?":
        raise bad_rule(f'"{text}" tests no parameter')
    return tuple(_parse_test(test) for test in text[1:].split("&"))


def _parse_test(test: str) -> ParamTest:
    name, *values = split_escaped(test, "=")
    is_absent = name.startswith("!")
    if values:
        if is_absent:
            raise bad_rule(f'"{test}": an absent parameter cannot have a value')
        return ParamTest(param_name(name), "equal", param_text("=".join(values)))
    return (
        ParamTest(param_name(name[1:]), "absent")
        if is_absent
        else ParamTest(param_name(name), "present")
    )
