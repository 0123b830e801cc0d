"""What errors say: the sentences of the TypeScript package, by their names in tools/python-messages.mjs."""

from __future__ import annotations

import json

from .._errors import OptionError
from .tables import MESSAGES


def says(name: str, *values: object) -> str:
    """Return the message of this name with what it shows, in the order of the TypeScript source."""
    return MESSAGES[name].format(*values)


def bad_option(option: str, value: object, expected: str) -> OptionError:
    """Return the error that says which value an option cannot have, and what it expects."""
    return OptionError("BAD_OPTION", says("bad_option", option, shown(value), expected))


def bad_rule(name: str, *values: object) -> OptionError:
    """Return a ``BAD_RULES`` error that says what a rule or an alias cannot be, without its place."""
    return OptionError("BAD_RULES", says(name, *values))


def shown(value: object) -> str:
    """Return a value for a message, short of what would not print."""
    if value is None or isinstance(value, (bool, int, float)):
        return str(value)
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        return f"this {type(value).__name__}"  # JSON has no form of it, or it holds itself
    return text.encode("utf-8", "backslashreplace").decode()
