"""Reads HTML with lxml, in time by its length."""

import re
from html import unescape
from typing import Any

from ._errors import PackageMissingError

_READ = frozenset(["content", "href", "hreflang", "id", "lang", "name", "property", "rel"])
"""The attributes that are read."""

_VALUE = r"""(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z)|[^\s>"'][^\s>]*)?"""
_KEY = r"(?:=[^\s/>=]*|[^\s/>=]+)"
_TAG = rf"[a-z][^\s/>]*(?:[\s/]+|{_KEY}(?:\s*=\s*{_VALUE})?)*"
_TEXT_ALONE = "script|style|title|textarea|xmp|iframe|noembed|noframes|plaintext"
"""The elements that have text alone."""
_MARKUP = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    r"|<[!?][^>]*>?|</[^a-z>][^>]*>?|</>"
    rf"|<(?=({_TEXT_ALONE})[\s/>])(?=({_TAG}))\2(?<!/)(>?).*?(?=</\1[\s/>]|\Z)"
    rf"|<(/?{_TAG})(>?)"
    r"|<",
    re.DOTALL | re.IGNORECASE | re.ASCII,
)
"""Matches all markup, elements of text alone up to their end tag. It never has to go back, so it is linear."""
_CLEAN = re.compile(
    r"""/?[a-z][a-z0-9]*(?:\s+[\w:.-]+(?:="[^"<>]*"|='[^'<>]*'|=[^\s"'<>=]+)?){0,64}\s*/?""",
    re.IGNORECASE | re.ASCII,
)
"""Matches a tag with few attributes that is written as all versions of lxml see it."""
_NAME = re.compile(r"(/?)([^\s/>]+)", re.ASCII)
_WITH_CONTENT = frozenset(["noframes", "noscript", "script", "style", "template", "title"])
"""The elements of a head that have content."""
_OF_HEAD = _WITH_CONTENT | {"base", "basefont", "bgsound", "head", "html", "link", "meta"}
"""The start tags that do not end the head."""
_ENDS_OF_HEAD = frozenset(["body", "br", "head", "html"])
"""The end tags that end it."""
_SPACE = "\t\n\f\r \ufeff"
_ODD = re.compile(r"[^a-z0-9:_.-]", re.IGNORECASE | re.ASCII)
_ATTRIBUTE = re.compile(rf"({_KEY})(?:\s*=\s*({_VALUE}))?", re.ASCII)


def parse_html(html: str) -> Any:
    """Return the root element of a page, or None for a page without any.

    It has all elements, and the attributes that are read. Raise `PackageMissingError` if lxml is not installed.
    """
    try:
        from lxml import etree
    except ModuleNotFoundError as error:
        message = "reading HTML needs the package lxml: pip install lxml"
        raise PackageMissingError("PACKAGE_MISSING", message) from error
    # lxml takes time by the square of the attributes of an element, and its versions see different elements in a text.
    # What it gets here they all see in one way.
    data = _MARKUP.sub(_plain, html).encode("utf-8", "replace")
    if not data.strip():
        return None
    return etree.fromstring(data, etree.HTMLParser(encoding="utf-8", recover=True))


def head_of(html: str) -> str:
    """Return a page up to the end of its head, which src/learn/text/declaration-handler.ts finds in the same way."""
    apart = end = 0
    for markup in _MARKUP.finditer(html):
        start, before = markup.start(), end
        end = markup.end()
        if apart == 0 and (markup[0] == "<" or unescape(html[before:start]).strip(_SPACE)):
            return html[:before]
        tag = markup[2] or markup[4]
        if tag is None:
            continue
        name = _NAME.match(tag)
        assert name is not None
        own = name[2].lower()
        if name[1]:
            if own in _ENDS_OF_HEAD:
                return html[:start]
            apart = max(0, apart - (own in _WITH_CONTENT))
        elif own == "body" or (apart == 0 and own not in _OF_HEAD):
            return html[:start]
        elif not tag.endswith("/"):
            apart += own in _WITH_CONTENT
    return html


def _plain(markup: "re.Match[str]") -> str:
    """Return a tag with the attributes that are read, in quotes; nothing for a comment or an unfinished tag."""
    _, of_text, end_of_text, other, end = markup.groups()
    tag = of_text or other
    if tag is None:
        return "&lt;" if markup[0] == "<" else ""
    if not (end_of_text or end):
        return ""
    if _CLEAN.fullmatch(tag):
        return f"<{tag}>"
    name = _NAME.match(tag)
    assert name is not None
    kept: dict[str, str] = {}
    for attribute in _ATTRIBUTE.finditer(tag, name.end()):
        own = attribute[1].lower()
        if own in _READ and own not in kept:
            kept[own] = own if attribute[2] is None else f"{own}={_quoted(attribute[2])}"
    closed = "/" if tag.endswith("/") else ""
    return f"<{name[1]}{' '.join([_ODD.sub('_', name[2]), *kept.values()])}{closed}>"


def _quoted(value: str) -> str:
    """Return the value of an attribute in double quotes, with the entities that it has."""
    quote = value[:1]
    if quote in ('"', "'"):
        value = value[1:].removesuffix(quote)
    return '"' + value.replace('"', "&quot;") + '"'
