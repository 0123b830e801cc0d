"""Lines of trust: which statements of the pages of a site are believed."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..hosts import NormalHost
from ..messages import bad_rule
from ..tables import TRUST
from .action import site_name
from .rule_line import parse_evidence

_LINE = re.compile(TRUST["line"])
_STATEMENT = re.compile(TRUST["statement"])
_SHAPE = re.compile(TRUST["shape"])


class Trust(NamedTuple):
    """Says whether statements of one shape are trusted."""

    #: The host, with ``:port`` if the URL has one.
    site: str
    #: Path and names of parameters; ``*`` is every URL.
    shape: str
    #: A statement such as ``canonical``, or ``self #`` and the pattern of the fragment.
    statement: str
    is_trusted: bool
    #: How many URLs of the shape a page must state at least.
    fewest: int


def parse_trust_line(line: str, normal_host: NormalHost) -> Trust | None:
    """Read a line of trust, or return None for another; raise ``BAD_RULES``."""
    if _LINE.match(line) is None:
        return None
    site, shape, text, *evidence = line.split("\t")
    statement = _STATEMENT.fullmatch(text)
    if statement is None or len(evidence) > 1:
        raise bad_rule("trust_statement", text)
    if _SHAPE.fullmatch(shape) is None:
        raise bad_rule("trust_shape", shape)
    site = site_name(site, normal_host)
    parse_evidence(*evidence)
    return Trust(site, shape, statement[1], text.startswith("t"), int(statement[2] or 1))
