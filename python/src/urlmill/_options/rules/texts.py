"""Texts in rules, which stand as normalizing writes them."""

from __future__ import annotations

import json
import re

from ..._errors import OptionError
from ..messages import bad_rule, says
from ..tables import PATH_BYTES, QUERY_BYTES
from ..written import DECODED

#: The bytes that stand for themselves in a path or a query.
TARGET_BYTES = "".join(sorted({*PATH_BYTES, *QUERY_BYTES}))

_DOT_SEGMENT = re.compile(r"/(\.\.?)(/|\Z)")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_WHOLE_ESCAPES = re.compile(r"(?:\\.|[^\\])*", re.DOTALL)
_TRIPLET = re.compile("%[0-9A-Fa-f]{2}")


def _normal(allowed: str) -> re.Pattern[str]:
    triplets = "|".join(text for text in DECODED if len(text) > 1)
    return re.compile(f"(?:[#{re.escape(allowed)}]|{triplets})*")


_NORMAL = {allowed: _normal(allowed) for allowed in (TARGET_BYTES, PATH_BYTES, QUERY_BYTES)}


def normal_text(text: str, allowed: str = TARGET_BYTES) -> str:
    """Return the text if a normalized URL can have it; ``#`` passes, because the caller names it.

    ``allowed`` is ``TARGET_BYTES``, ``PATH_BYTES`` or ``QUERY_BYTES``. Raises ``BAD_RULES`` for any other text.
    """
    found = _NORMAL[allowed].match(text)
    end = 0 if found is None else found.end()
    if end == len(text):
        return text
    if text[end] != "%":
        raise _never(text, says("encoded", json.dumps(text[end], ensure_ascii=False)))
    triplet = text[end : end + 3]
    if _TRIPLET.fullmatch(triplet) is None:
        raise _never(text, says("whole_triplet", triplet))
    raise _never(text, says("written_triplet", triplet, DECODED[int(triplet[1:], 16)]))


def check_dots(path: str, is_end: bool) -> None:
    """Raise ``BAD_RULES`` for a path with a dot-segment; its last may go on unless ``is_end``."""
    found = _DOT_SEGMENT.search(path)
    if found is not None and (is_end or found[2] == "/"):
        raise _never(path, says("dots", found[1]))


def check_target(text: str, what: str) -> None:
    """Raise ``BAD_RULES`` for a text that is not path and query of a normalized URL."""
    if not text.startswith("/") or "#" in text:
        raise bad_rule("path_and_query", what, text)
    path, _, query = text.partition("?")
    normal_text(path, PATH_BYTES)
    check_dots(path, True)
    normal_text(query, QUERY_BYTES)


def unescape(text: str, allowed: str = TARGET_BYTES) -> str:
    """Return a text without the backslashes of its escapes, as ``normal_text`` takes it."""
    if _WHOLE_ESCAPES.fullmatch(text) is None:
        raise bad_rule("backslash", text)
    return normal_text(_ESCAPE.sub(r"\1", text), allowed)


def split_escaped(text: str, separator: str) -> list[str]:
    """Split where the separator stands without a backslash before it; keep the escapes."""
    pieces, start = [], 0
    for found in re.finditer(rf"\\.|{re.escape(separator)}", text, re.DOTALL):
        if found[0] == separator:
            pieces.append(text[start : found.start()])
            start = found.end()
    return [*pieces, text[start:]]


def _never(text: str, reason: str) -> OptionError:
    return bad_rule("never", text, reason)
