"""Exceptions of rules: paths and queries that a rule must not make."""

from __future__ import annotations

from ..messages import bad_rule, says
from ..tables import MAX_EXCEPTIONS, WITHOUT_EXCEPTIONS
from .rule import Rule
from .texts import check_target


def add_exception(rule: Rule, text: str, exceptions: set[str]) -> None:
    """Add a path and query to the exceptions of a rule; raise ``BAD_RULES`` for any other text."""
    if rule.action.kind in WITHOUT_EXCEPTIONS:
        raise bad_rule("no_exceptions", rule.action.kind)
    check_target(text, says("an_exception"))
    if text in exceptions:
        raise bad_rule("exception_twice", text)
    if len(exceptions) == MAX_EXCEPTIONS:
        raise bad_rule("max_exceptions", MAX_EXCEPTIONS)
    exceptions.add(text)
