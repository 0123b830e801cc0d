"""Lines of URLs that a crawl need not fetch."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..hosts import NormalHost
from ..messages import bad_rule
from ..tables import SKIP
from .action import site_name
from .condition import parse_condition
from .rule_line import parse_evidence

_LINE = re.compile(SKIP["line"])
_REASON = re.compile(SKIP["reason"], re.ASCII)


class Skip(NamedTuple):
    """Says which URLs of a site a crawl need not fetch."""

    site: str
    #: The text of the condition, which was checked.
    condition: str
    #: ``noindex`` or ``exhausted``.
    why: str
    #: The day of an ``exhausted``.
    day: str | None


def parse_skip_line(line: str, normal_host: NormalHost) -> Skip | None:
    """Read a line of URLs to skip, or return None for another; raise ``BAD_RULES``."""
    if _LINE.match(line) is None:
        return None
    site, condition, text, *evidence = line.split("\t")
    reason = _REASON.fullmatch(text)
    if reason is None or len(evidence) > 1:
        raise bad_rule("skip_reason", text)
    site = site_name(site, normal_host)
    parse_condition(condition)
    parse_evidence(*evidence)
    return Skip(site, condition, text.partition(" ")[0], reason[1])
