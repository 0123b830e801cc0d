"""Rules for one site, learned from a list or written by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..tables import ANY_BYTES, DOMAIN


@dataclass(frozen=True)
class Element:
    """An element of a pattern; ``kind`` is one of ``ELEMENTS``."""

    kind: str
    #: The bytes that ``text`` matches; the suffix of ``segment`` and ``rest``; else "".
    text: str = ""
    #: How many bytes a run has; 0 if that is open.
    length: int = 0


#: Elements that match one after the other.
Pattern = tuple[Element, ...]
#: What to write for a match: texts, and numbers of captures from 1 on.
Template = tuple["str | int", ...]


@dataclass(frozen=True)
class ParamTest:
    """A test of one query parameter; ``kind`` is one of ``TESTS``."""

    name: str
    kind: str
    #: The value that ``equal`` compares; "" for the other tests.
    value: str = ""


@dataclass(frozen=True)
class Condition:
    """The URLs of a site to which a rule applies."""

    #: Matches the whole path; None matches any path.
    path: Pattern | None = None
    params: tuple[ParamTest, ...] = ()


@dataclass(frozen=True)
class Action:
    """What a rule does to a URL; ``kind`` is one of ``ACTIONS``."""

    kind: str
    #: Names of ``drop``, ``keep`` and ``unwrap``; the one name of ``dropif`` and ``set``. Some have ``ANY_BYTES``.
    params: tuple[str, ...] = ()
    #: Value of ``dropif`` and ``set``, segment of ``cut``, site of ``host``, target of ``sink``.
    text: str = ""
    #: Pattern and template of ``sub`` and ``path``; pattern of values of ``dropif``, or ``()``.
    source: Pattern = field(default=())
    to: Template = field(default=())
    #: Whether ``drop``, ``keep`` and ``dropif`` are for parameters between ``&`` alone.
    whole: bool = False


@dataclass(frozen=True)
class Unless:
    """URLs that a rule leaves alone."""

    #: The host on any port; ``DOMAIN`` before it adds the hosts below; ``ANY_SITE`` is every site.
    site: str
    condition: Condition


@dataclass(frozen=True)
class Rule:
    """A rule for one site, or for more."""

    #: The host, with ``:port`` if the URL has one, perhaps after ``DOMAIN``; ``ANY_SITE`` is every site.
    site: str
    condition: Condition
    action: Action
    #: The level of its evidence; None for a rule that somebody wrote.
    level: str | None = None
    #: What the rule must not make, as path and query.
    exceptions: frozenset[str] = frozenset()
    unless: tuple[Unless, ...] = ()


def is_of_lists(rule: Rule) -> bool:
    """Whether a rule needs a plan of ``LISTS_PLAN_VERSION``."""
    patterns = [rule.condition.path or (), rule.action.source]
    return (
        rule.site.startswith(DOMAIN)
        or len(rule.unless) > 0
        or rule.action.whole
        or any(element.length > 0 for pattern in patterns for element in pattern)
        or any(ANY_BYTES in name for name in rule.action.params)
        or (rule.action.kind == "dropif" and len(rule.action.source) > 0)
    )
