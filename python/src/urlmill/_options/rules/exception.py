"""Exceptions of rules: paths and queries that a rule must not make."""

from __future__ import annotations

from ..tables import MOST_EXCEPTIONS, WITHOUT_EXCEPTIONS
from .rule import Rule
from .texts import bad_rule, check_target


def add_exception(rule: Rule, text: str, exceptions: set[str]) -> None:
    """Add a path and query to the exceptions of a rule; raise ``BAD_RULES`` for any other text."""
    if rule.action.kind in WITHOUT_EXCEPTIONS:
        raise bad_rule(f"a rule with the action {rule.action.kind} cannot have exceptions")
    check_target(text, "an exception")
    if text in exceptions:
        raise bad_rule(f"the exception {text} is listed twice")
    if len(exceptions) == MOST_EXCEPTIONS:
        raise bad_rule(
            f"a rule has more than {MOST_EXCEPTIONS} exceptions: give it a narrower condition"
        )
    exceptions.add(text)
