"""Rules for one site, learned from a list or written by hand."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Element:
    """An element of a pattern; ``kind`` is one of ``ELEMENTS``."""

    kind: str
    #: The bytes that ``text`` matches; the suffix of ``segment`` and ``rest``; else "".
    text: str = ""


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
    #: Names of ``drop`` and ``keep``; the one name of ``dropif`` and ``set``.
    params: tuple[str, ...] = ()
    #: Value of ``dropif`` and ``set``, segment of ``cut``, site of ``host``, target of ``sink``.
    text: str = ""
    #: Pattern and template of ``sub`` and ``path``.
    source: Pattern = field(default=())
    to: Template = field(default=())


@dataclass(frozen=True)
class Rule:
    """A rule for one site."""

    #: The host, with ``:port`` if the URL has one; ``ANY_SITE`` is every site.
    site: str
    condition: Condition
    action: Action
    #: The level of its evidence; None for a rule that somebody wrote.
    level: str | None = None
    #: What the rule must not make, as path and query.
    exceptions: frozenset[str] = frozenset()
