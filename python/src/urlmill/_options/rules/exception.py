"""Exceptions of rules: paths and queries that a rule must not make."""

from __future__ import annotations

from ..tables import MOST_EXCEPTIONS, PATH_BYTES, QUERY_BYTES, WITHOUT_EXCEPTIONS
from .rule import Rule
from .texts import bad_rule, check_dots, normal_text


def add_exception(rule: Rule, text: str, exceptions: set[str]) -> None:
    """Add a path and query to the exceptions of a rule; raise ``BAD_RULES`` for any other text."""
    if rule.action.kind in WITHOUT_EXCEPTIONS:
        raise bad_rule(f"a rule with the action {rule.action.kind} cannot have exceptions")
    if not text.startswith("/") or "#" in text:
        raise bad_rule(f'an exception is a path and perhaps a query, not "{text}"')
    path, _, query = text.partition("?")
    normal_text(path, PATH_BYTES)
    check_dots(path, True)
    normal_text(query, QUERY_BYTES)
    if text in exceptions:
        raise bad_rule(f"the exception {text} is listed twice")
    if len(exceptions) == MOST_EXCEPTIONS:
        raise bad_rule(
            f"a rule has more than {MOST_EXCEPTIONS} exceptions: give it a narrower condition"
        )
    exceptions.add(text)
