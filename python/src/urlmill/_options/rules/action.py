"""Actions of rules as texts."""

from __future__ import annotations

import re

from ..hosts import NormalHost
from ..messages import bad_rule
from ..tables import ACTIONS, ANY_SITE, DOMAIN, QUERY_BYTES
from .condition import param_name, param_names, param_text
from .pattern import captures_of, parse_pattern, parse_template
from .rule import Action, Pattern
from .texts import check_dots, normal_text, split_escaped, unescape

_LARGEST_PORT = 65_535
_MOST_LABELS = 32
_PORT = re.compile(r":[1-9][0-9]{0,4}\Z")
_HOST = re.compile("[!-~]+")
_NOT_IN_A_HOST = re.compile(r"[/?#@\\*]")
_NOT_A_SEGMENT = re.compile(r"\A\Z|\A\.\.?\Z|[/?#]")


def parse_action(text: str, site: str, normal_host: NormalHost) -> Action:
    """Read ``NAME ARGUMENTS`` of a rule for ``site``; raise ``BAD_RULES`` for any other text."""
    kind, _, rest = text.partition(" ")
    match kind:
        case "drop" | "keep":
            own, whole = _split(rest)
            names = () if kind == "keep" and own == "" else _names(own)
            return Action(kind, params=names, whole=whole)
        case "dropif":
            own, whole = _split(rest)
            name, value = _pair(own)
            source = _value_pattern(value) if "<" in value else ()
            text = "" if source else param_text(value)
            return Action(kind, params=(param_names(name),), text=text, source=source, whole=whole)
        case "set":
            name, value = _pair(rest)
            return Action(kind, params=(param_name(name),), text=param_text(value))
        case "sort":
            return _only(kind, rest, "")
        case "lower" | "slash":
            return _only(kind, rest, "path")
        case "scheme":
            return _only(kind, rest, "https")
        case "sub" | "path":
            return _replacement(kind, rest)
        case "cut":
            return Action(kind, text=_segment(rest))
        case "host":
            return Action(kind, text=_other_site(rest, site, normal_host))
        case "sink":
            return Action(kind, text=_target(rest))
        case "unwrap":
            return Action(kind, params=_names(rest))
    raise bad_rule("action", kind, ", ".join(ACTIONS))


def site_name(text: str, normal_host: NormalHost) -> str:
    """Read a site as a normalized URL names it: host, with ``:port`` unless the scheme implies it.

    Raises ``BAD_RULES`` for any other text.
    """
    found = _PORT.search(text)
    port = "" if found is None else found[0]
    host = text[: len(text) - len(port)]
    is_plain = (
        _HOST.fullmatch(host) is not None
        and int(port[1:] or 0) <= _LARGEST_PORT
        and _NOT_IN_A_HOST.search(host) is None
    )
    if not is_plain or normal_host(host) != host:
        raise bad_rule("site", text)
    return text


def rule_site(text: str, normal_host: NormalHost) -> str:
    """Read the site of a rule that is not for every site: a host, or a domain and its hosts."""
    if not text.startswith(DOMAIN):
        return site_name(text, normal_host)
    host = re.sub(r":[0-9]+\Z", "", site_name(text.removeprefix(DOMAIN), normal_host))
    if re.search(r"\A\[|(?:\A|\.)[0-9]+\Z", host):
        raise bad_rule("address", host)
    if host.count(".") >= _MOST_LABELS:
        raise bad_rule("many_labels", host, _MOST_LABELS)
    return text


def _split(text: str) -> tuple[str, bool]:
    """Take the ``&`` of an action that is for parameters between ``&`` alone."""
    is_whole = text == "&" or text.startswith("& ")
    return (text[2:], True) if is_whole else (text, False)


def _names(text: str) -> tuple[str, ...]:
    read = tuple(param_names(name) for name in split_escaped(text, ","))
    if len(set(read)) < len(read):
        raise bad_rule("name_twice", text)
    return read


def _pair(text: str) -> tuple[str, str]:
    name, *values = split_escaped(text, "=")
    if not values:
        raise bad_rule("pair", text)
    return name, "=".join(values)


def _value_pattern(text: str) -> Pattern:
    pattern = parse_pattern(text, "value")
    for element in pattern:
        if element.kind in ("text", "rest"):
            param_text(element.text)
    return pattern


def _only(kind: str, text: str, expected: str) -> Action:
    if text != expected:
        if expected == "":
            raise bad_rule("takes_nothing", kind, text)
        raise bad_rule("takes", kind, expected, text)
    return Action(kind)


def _replacement(kind: str, text: str) -> Action:
    # "A =>" may stand without the space that an editor removes.
    pieces = f"{text} ".split(" => ")
    if len(pieces) != 2:
        raise bad_rule("replacement", kind, text)
    source = parse_pattern(pieces[0], "path" if kind == "path" else "substring")
    to = parse_template(pieces[1][:-1], len(captures_of(source)))
    return Action(kind, source=source, to=to)


def _segment(text: str) -> str:
    plain = unescape(text)
    if _NOT_A_SEGMENT.search(plain):
        raise bad_rule("segment", text)
    return plain


def _other_site(text: str, site: str, normal_host: NormalHost) -> str:
    start, *others = text.split(" => ")
    # A rule for many sites cannot move them, whatever it names (check.py).
    is_one = site != ANY_SITE and not site.startswith(DOMAIN)
    if (is_one and start != site) or len(others) > 1:
        raise bad_rule("other_site", site, text)
    return site_name(others[0] if others else "", normal_host)


def _target(text: str) -> str:
    plain = unescape(text)
    if not plain.startswith("/") or "#" in plain:
        raise bad_rule("target", text)
    path, _, query = plain.partition("?")
    normal_text(query, QUERY_BYTES)
    check_dots(path, True)
    return plain
