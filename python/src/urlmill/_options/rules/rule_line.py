"""Rules as lines: TSV or a JSON object."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, NoReturn

from ..hosts import NormalHost
from ..messages import bad_rule
from ..tables import ANY_SITE, level_named
from .action import parse_action, rule_site
from .check import check_rule
from .condition import parse_condition
from .exception import add_exception
from .rule import Rule, Unless
from .unless import add_unless

#: The largest whole number that JavaScript counts with.
_LARGEST_COUNT = (1 << 53) - 1

_LIST = re.compile(r"list:([a-z0-9][a-z0-9._-]{0,63} [0-9]{4}-[0-9]{2}-[0-9]{2})")
_EVIDENCE = re.compile(r"([A-Za-z0-9_]+) n=([0-9]{1,16}) ok=([0-9]{1,16}) lb=(?:1|\.[0-9]{1,4})")


def parse_line(line: str, normal_host: NormalHost) -> Rule:
    """Read a rule; raise ``BAD_RULES``. A host may begin with ``{``; only TSV has a TAB."""
    if line.startswith("{") and "\t" not in line:
        return _rule_from_json(line, normal_host)
    return _parse_rule(line.split("\t"), normal_host)


def _parse_rule(columns: list[str], normal_host: NormalHost) -> Rule:
    if len(columns) not in (3, 4):
        raise bad_rule("columns")
    site, condition, action, *evidence = columns
    rule = Rule(
        site if site == ANY_SITE else rule_site(site, normal_host),
        parse_condition(condition),
        parse_action(action, site, normal_host),
        parse_evidence(*evidence),
    )
    check_rule(rule)
    return rule


def parse_evidence(text: str = "") -> str | None:
    """The level of ``fingerprint n=1443 ok=1442 lb=.9961``; None for "", which is no evidence."""
    if text == "":
        return None
    if _LIST.fullmatch(text):
        return "list"
    found = _EVIDENCE.fullmatch(text)
    level = None if found is None else level_named(found[1])
    if found is None or level is None or level == "list":
        raise bad_rule("evidence", text)
    count, right = int(found[2]), int(found[3])
    if count > _LARGEST_COUNT:
        raise bad_rule("large_count", text)
    if right > count:
        raise bad_rule("counts", text)
    return level


def _rule_from_json(line: str, normal_host: NormalHost) -> Rule:
    try:
        value = json.loads(line, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise bad_rule("json", f"{error.msg} at character {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise bad_rule("json", error) from error
    known = {"site", "condition", "action", "evidence", "except", "unless"}
    other = next((name for name in value if name not in known), None)
    if other is not None:
        raise bad_rule("member", other)
    texts = [value.get(name) for name in ("site", "condition", "action")]
    if not all(isinstance(text, str) and "\t" not in text for text in texts):
        raise bad_rule("texts")
    rule = _parse_rule(texts, normal_host)
    if "evidence" in value:
        rule = replace(rule, level=_evidence_from_json(value["evidence"]))
    if "except" in value:
        rule = replace(rule, exceptions=_exceptions_from_json(rule, value["except"]))
    if "unless" in value:
        rule = replace(rule, unless=_unless_from_json(value["unless"], normal_host))
    return rule


def _unless_from_json(value: Any, normal_host: NormalHost) -> tuple[Unless, ...]:
    unless: list[Unless] = []
    items: list[Any] = value if isinstance(value, list) and value else [None]
    for each in items:
        is_object = isinstance(each, dict) and each.keys() == {"site", "condition"}
        if not is_object or not all(isinstance(text, str) for text in each.values()):
            raise bad_rule("unless_object")
        add_unless(f"{each['site']}\t{each['condition']}", unless, normal_host)
    return tuple(unless)


def _exceptions_from_json(rule: Rule, value: object) -> frozenset[str]:
    if not isinstance(value, list) or not value or not all(isinstance(text, str) for text in value):
        raise bad_rule("except")
    exceptions: set[str] = set()
    for text in value:
        add_exception(rule, text, exceptions)
    return frozenset(exceptions)


def _evidence_from_json(value: Any) -> str:
    names = {"level", "n", "ok", "lb"}
    is_object = isinstance(value, dict) and value.keys() - {"list"} == names
    count, right = (_count(value[name]) for name in ("n", "ok")) if is_object else (None, None)
    name = value["level"] if is_object else None
    level = level_named(name) if isinstance(name, str) else None
    if (
        count is None
        or right is None
        or level is None
        or isinstance(value["lb"], bool)
        or not isinstance(value["lb"], (int, float))
        or not 0 <= value["lb"] <= 1
        or (level == "list") != ("list" in value)
        or not _is_list_name(value.get("list", "a 2000-01-01"))
    ):
        raise bad_rule("evidence_object")
    if right > count:
        raise bad_rule("evidence_counts", right, count)
    return level


def _is_list_name(value: object) -> bool:
    return isinstance(value, str) and _LIST.fullmatch(f"list:{value}") is not None


def _count(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= _LARGEST_COUNT else None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")
