"""Reads HTML with lxml, in time by its length."""

import re
from typing import Any

from ._errors import PackageMissingError

_MOST_ATTRIBUTES = 256
"""Limits the attributes that lxml gets for one element: it compares each with all those before it."""
_READ = frozenset(["content", "href", "id", "name", "property", "rel"])
"""The attributes that are read."""

_VALUE = r"""(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z)|[^\s>"'][^\s>]*)?"""
_TAG = rf"[a-z](?:[^=>]+|=\s*{_VALUE})*>?"
_MARKUP = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|(<(?=(script|style)[\s/>]){_TAG}).*?(?=</\2|\Z)"
    rf"|(</?{_TAG})",
    re.DOTALL | re.IGNORECASE,
)
"""Matches comments, tags, and scripts and style sheets whole. It never has to go back, so it is linear."""
_NAME = re.compile(r"</?[^\s/>]+")
_ATTRIBUTE = re.compile(rf"([^\s/>=]+)(?:\s*=\s*{_VALUE})?")


def parse_html(html: str) -> Any:
    """Return the root element of a page, or None for a page without any.

    It has all elements, and the attributes that are read. Raise `PackageMissingError` if lxml is not installed.
    """
    try:
        from lxml import etree
    except ModuleNotFoundError as error:
        message = "reading HTML needs the package lxml: pip install lxml"
        raise PackageMissingError("PACKAGE_MISSING", message) from error
    data = _MARKUP.sub(_without_most_attributes, html).encode("utf-8", "replace")
    if not data.strip():
        return None
    return etree.fromstring(data, etree.HTMLParser(encoding="utf-8", recover=True))


def _without_most_attributes(markup: "re.Match[str]") -> str:
    """Return markup as it is. If its tag has very many attributes, leave out those that are not read."""
    tag = markup[1] or markup[3] or ""
    if len(tag) < 2 * _MOST_ATTRIBUTES:
        return markup[0]
    name = _NAME.match(tag)
    assert name is not None
    kept: dict[str, str] = {}
    count = 0
    for attribute in _ATTRIBUTE.finditer(tag, name.end()):
        count += 1
        own = attribute[1].lower()
        if own in _READ:
            kept.setdefault(own, attribute[0])
    if count <= _MOST_ATTRIBUTES:
        return markup[0]
    end = ">" if tag.endswith(">") else ""
    return f"{' '.join([name[0], *kept.values()])}{end}{markup[0][len(tag) :]}"
