"""Whether two URLs have one key, and where their keys first differ (src/cli/compare/difference.ts)."""

import re
from collections.abc import Sequence
from typing import Any

from .._explain.parts import split_parts
from .messages import json_line, visible

_PARTS = {
    "userinfo": "the user name or password",
    "parameterOrder": "the order of parameters",
    "emptyQuery": "a ? with nothing after it",
}
"""The parts that are not called by their name."""
_PROPOSALS = "If they are one page: Node's explain proposes what would make them one."


def verdict(urls: Sequence[str], keys: Sequence[str | None], as_json: bool) -> str:
    """Say whether two texts have one key, given their normal forms: None for one that is not a URL."""
    first, second = keys
    same = first == second and (first is not None or urls[0] == urls[1])
    found = None if same or first is None or second is None else _difference(first, second)
    if as_json:
        return json_line({"keys": list(keys), "same": same, "difference": found})
    if same:
        return f"one key: {visible(first or 'both are the same text, not a URL')}\n"
    if found is not None:
        reason = _text(found)
    elif first is None and second is None:
        reason = "neither text is a URL"
    else:
        reason = f"the {'first' if first is None else 'second'} text is not a URL"
    return f"two keys: {visible(reason)}\n{_PROPOSALS}\n"


def _difference(first: str, second: str) -> dict[str, Any]:
    """Return the first part in which two normalized URLs differ, as Node names it."""
    a, b = _pieces(first), _pieces(second)
    part = next(name for name in a if a[name] != b[name])
    if part != "query":
        return {"part": part, "first": a[part], "second": b[part]}
    params = [_params(a[part] or ""), _params(b[part] or "")]
    for name in dict.fromkeys([*params[0], *params[1]]):
        one, other = ("&".join(each[name]) if name in each else None for each in params)
        if (one or "") != (other or ""):
            return {"part": "parameter", "name": name, "first": one, "second": other}
    kind = "parameterOrder" if a[part] and b[part] else "emptyQuery"
    return {"part": kind, "first": a[part], "second": b[part]}


def _pieces(url: str) -> dict[str, str | None]:
    """Return the pieces of a normalized URL without their delimiters, but that of the port."""
    parts = split_parts(url)
    return {
        "scheme": parts.scheme[:-1],
        "userinfo": parts.userinfo[:-1] or None,
        "host": parts.host or None,
        "port": parts.port or None,
        "path": (parts.path if parts.slashes else re.sub("^/\\.(?=//)", "", parts.path)) or None,
        "query": parts.query[1:] if parts.query else None,
        "fragment": parts.fragment[1:] if parts.fragment else None,
    }


def _params(query: str) -> dict[str, list[str]]:
    params: dict[str, list[str]] = {}
    for param in re.split("[&;]", query) if query else []:
        params.setdefault(param.split("=", 1)[0], []).append(param)
    return params


def _text(found: dict[str, Any]) -> str:
    part, first, second = found["part"], found["first"], found["second"]
    what = _PARTS.get(part, f"the {part}")
    if "name" in found:
        what += f" {found['name']}" if found["name"] else ' ""'
    has, mark = ("second" if first is None else "first"), "#" if part == "fragment" else ""
    if part == "emptyQuery":
        return f"only the {has} has {what}"
    if first is None or second is None:
        return f"only the {has} has {what}, {mark}{second if first is None else first}"
    return f"{what} differs: {mark}{first} and {mark}{second}"
