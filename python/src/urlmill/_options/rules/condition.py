"""Conditions of rules as texts."""

from __future__ import annotations

import re

from ..messages import bad_rule
from ..tables import ANY_BYTES, QUERY_BYTES
from .pattern import parse_pattern
from .rule import Condition, ParamTest
from .texts import split_escaped, unescape

#: The name of a parameter that has none, as in ``?=x`` and ``?&&``.
_NO_NAME = '""'


def parse_condition(text: str) -> Condition:
    """Read ``PATH ?TEST&TEST``: either may be missing, ``*`` alone is any URL of the site."""
    if text in ("*", ""):
        return Condition()
    first, *others = text.split(" ")
    if len(others) > 1:
        raise bad_rule("condition", text)
    if first.startswith("?"):
        if others:
            raise bad_rule("path_first", text)
        return Condition(params=_parse_tests(first))
    return Condition(
        None if first == "*" else parse_pattern(first, "path"),
        _parse_tests(others[0]) if others else (),
    )


def param_name(text: str) -> str:
    """Read a name; raise ``BAD_RULES`` for one that no parameter can have."""
    if text == _NO_NAME:
        return ""
    if text == "":
        raise bad_rule("name_missing", _NO_NAME)
    name = param_text(text)
    if "=" in name:
        raise bad_rule("name_of_parameter", name)
    return name


def param_names(text: str) -> str:
    """Read a name that may have ``ANY_BYTES`` at one end; raise ``BAD_RULES``."""
    if ANY_BYTES not in text:
        return param_name(text)
    at_end = text.endswith(ANY_BYTES)
    plain = text.removesuffix(ANY_BYTES) if at_end else text[len(ANY_BYTES) :]
    is_one = (at_end or text.startswith(ANY_BYTES)) and ANY_BYTES not in plain and plain != ""
    if not is_one:
        raise bad_rule("any_bytes", text, ANY_BYTES)
    return param_name(plain) + ANY_BYTES if at_end else ANY_BYTES + param_name(plain)


def param_text(text: str) -> str:
    """Read a name or a value; raise ``BAD_RULES`` if it holds what ends a parameter."""
    plain = unescape(text, QUERY_BYTES)
    end = re.search("[&;#]", plain)
    if end is not None:
        raise bad_rule("part_of_parameter", plain, end[0])
    return plain


def _parse_tests(text: str) -> tuple[ParamTest, ...]:
    if not text.startswith("?") or text == "?":
        raise bad_rule("no_test", text)
    return tuple(_parse_test(test) for test in text[1:].split("&"))


def _parse_test(test: str) -> ParamTest:
    name, *values = split_escaped(test, "=")
    is_absent = name.startswith("!")
    if values:
        if is_absent:
            raise bad_rule("absent_value", test)
        return ParamTest(param_name(name), "equal", param_text("=".join(values)))
    return (
        ParamTest(param_name(name[1:]), "absent")
        if is_absent
        else ParamTest(param_name(name), "present")
    )
