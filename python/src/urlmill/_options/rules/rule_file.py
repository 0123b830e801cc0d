"""Files of rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..hosts import NormalHost
from ..messages import bad_rule
from ..source_lines import Source, data_lines, wrong_line
from ..tables import EXCEPTION, RULES_HEADER, UNLESS
from .exception import add_exception
from .host_circle import find_host_circle
from .rule import Rule, Unless
from .rule_line import parse_line
from .skip_line import Skip, parse_skip_line
from .trust_line import Trust, parse_trust_line
from .unless import add_unless


@dataclass
class _Draft:
    """A rule to which the lines after it add, and the number of the file that it is in."""

    rule: Rule
    file: int
    exceptions: set[str] = field(default_factory=set)
    unless: list[Unless] = field(default_factory=list)


def parse_crawl_line(line: str, normal_host: NormalHost) -> Trust | Skip | None:
    """Read a line that changes no URL, or return None for another; raise ``BAD_RULES``."""
    return parse_trust_line(line, normal_host) or parse_skip_line(line, normal_host)


def parse_rules(sources: Sequence[Source], normal_host: NormalHost) -> list[Rule]:
    """Read rules in their order; raise ``BAD_RULES``, which names the first wrong line and why.

    Each text is the header, then a rule a line, as TSV or as a JSON object. The exceptions of a
    rule follow it, a line each. Lines for a crawl are checked and left out: ``urlmill.trust`` reads them.
    """
    drafts: list[_Draft] = []
    last: _Draft | None = None

    def read(line: str, file: int) -> Rule | None:
        nonlocal last
        if parse_crawl_line(line, normal_host) is not None:
            last = None
            return None
        if line.startswith((EXCEPTION, UNLESS)):
            if last is None or last.file != file:
                raise bad_rule("exception_first")
            if line.startswith(EXCEPTION):
                add_exception(last.rule, line.removeprefix(EXCEPTION), last.exceptions)
            else:
                add_unless(line.removeprefix(UNLESS), last.unless, normal_host)
            return None
        rule = parse_line(line, normal_host)
        last = _Draft(rule, file, set(rule.exceptions), list(rule.unless))
        drafts.append(last)
        return rule

    lines = data_lines(sources, RULES_HEADER, "rules", read)
    placed = [(rule, place) for rule, place in lines if rule is not None]
    circle = find_host_circle(placed)
    if circle is not None:
        place, reason = circle
        raise wrong_line(sources, place, reason)
    return [
        replace(draft.rule, exceptions=frozenset(draft.exceptions), unless=tuple(draft.unless))
        if draft.exceptions or draft.unless
        else draft.rule
        for draft in drafts
    ]
