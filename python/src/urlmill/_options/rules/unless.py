"""URLs that a rule leaves alone."""

from __future__ import annotations

import re

from ..hosts import NormalHost
from ..messages import bad_rule
from ..tables import ANY_SITE, MAX_UNLESS
from .action import rule_site
from .condition import parse_condition
from .rule import Unless

_WITH_PORT = re.compile(r":[0-9]+\Z")


def add_unless(text: str, unless: list[Unless], normal_host: NormalHost) -> None:
    """Add a site and a condition, with a TAB between; raise ``BAD_RULES`` for any other text."""
    columns = text.split("\t")
    if len(columns) != 2:
        raise bad_rule("unless")
    site, condition = columns
    if _WITH_PORT.search(site):
        raise bad_rule("unless_port", site)
    if len(unless) == MAX_UNLESS:
        raise bad_rule("max_unless", MAX_UNLESS)
    known = site if site == ANY_SITE else rule_site(site, normal_host)
    unless.append(Unless(known, parse_condition(condition)))
