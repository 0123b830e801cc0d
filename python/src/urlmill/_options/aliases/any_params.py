"""URLs of aliases for any other parameters or none (src/site-rules/aliases/any-params.ts)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from ..tables import ANY_MARK

_ANY = "<*>"
_PATH = re.compile(r"[^?]+\?", re.DOTALL)
_PARAM = re.compile(r"[^?]*\?[^&;]+&", re.DOTALL)

A = TypeVar("A", bound="tuple[str, object]")


def base_of_any(source: str) -> str | None:
    """Return a path before its ``?<*>``, or a path and one parameter before its ``&<*>``."""
    base = source.removesuffix(_ANY)
    if base == source or not (_PATH.fullmatch(base) or _PARAM.fullmatch(base)):
        return None
    return base[:-1]


def with_any(base: str) -> str:
    """Return the URL of an alias for a path, or a path and one parameter, with any others."""
    return _marked(base, _ANY)


def marked_base(base: str) -> str:
    """Return how a plan writes the URL of such an alias."""
    return _marked(base, ANY_MARK)


def _marked(base: str, mark: str) -> str:
    return f"{base}{'&' if '?' in base else '?'}{mark}"


def find_any(aliases: Mapping[str, A], target: str) -> A | None:
    """Return what a URL has of such aliases, each with its target first, by what a plan writes.

    That of one of its parameters, if all that it has lead to one target, else that of its path.
    """
    if not aliases:
        return None
    path, question, query = target.partition("?")
    bases = [f"{path}?{param}" for param in re.split("[&;]", query)] if question else []
    found = [aliases[text] for text in map(marked_base, bases) if text in aliases]
    if len({target for target, *_ in found}) > 1:
        return None
    return found[0] if found else aliases.get(marked_base(path))
