"""The one form of a complaint about an option."""

from __future__ import annotations

import json

from .._errors import OptionError


def bad_option(option: str, value: object, expected: str) -> OptionError:
    """Return the error that says which value an option cannot have, and what it expects."""
    return OptionError(
        "BAD_OPTION", f"option {option} cannot be {shown(value)}: expected {expected}"
    )


def shown(value: object) -> str:
    """Return a value for a message, short of what would not print."""
    if value is None or isinstance(value, (bool, int, float)):
        return str(value)
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        return f"this {type(value).__name__}"  # JSON has no form of it, or it holds itself
    return text.encode("utf-8", "backslashreplace").decode()
