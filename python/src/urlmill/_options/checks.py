"""Checks the values of options. What each expects is in ``tables``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from operator import index
from os import PathLike

from .._errors import OptionError
from .messages import bad_option, says
from .nearest import option_suggestion, suggestion
from .tables import (
    CHOICES,
    EXPECTED,
    FORMER_NAMES,
    FORMER_VALUES,
    KINDS,
    LARGEST_MAX_LENGTH,
    OPTION_NAMES,
    OPTION_VALUES,
    SITE_OPTIONS,
)

Check = Callable[[object], bool]


def is_list(value: object) -> bool:
    """Return whether it is a sequence or a set of texts, and not a text itself."""
    if isinstance(value, (str, bytes, bytearray)) or not isinstance(value, (Sequence, Set)):
        return False
    return all(isinstance(item, str) for item in value)


def _is_record(value: object, of: type[object] | tuple[type[object], ...]) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(name, str) and isinstance(item, of) for name, item in value.items()
    )


def _is_length(value: object) -> bool:
    whole = whole_number(value)
    return whole is not None and 0 < whole <= LARGEST_MAX_LENGTH


def _is_file(value: object) -> bool:
    if isinstance(value, (str, PathLike)):
        return True
    return (
        isinstance(value, Sequence)
        and len(value) > 0
        and all(isinstance(item, PathLike) for item in value)
    )


def whole_number(value: object) -> int | None:
    """Return a whole number as an int, also of numpy or written as 1e6; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


_ACCEPTS: Mapping[str, Check] = {
    "bytes": _is_length,
    "names": is_list,
    "fileNames": lambda value: value == "keep" or value is True or is_list(value),
    "pairs": lambda value: _is_record(value, str),
    "sites": lambda value: _is_record(value, Mapping),
    "text": _is_file,
}

# Python has the WebAssembly engine alone.
_VALUES: Mapping[str, tuple[str, ...]] = {**OPTION_VALUES, "engine": ("auto", "wasm")}


def check_option(name: str, value: object, shown: str) -> None:
    """Raise ``BAD_OPTION`` for a value that the option cannot have; ``shown`` names it."""
    if name == "preset" and value == "crawlee":
        raise OptionError(
            "BAD_OPTION",
            f'option {shown} cannot be "crawlee": Crawlee\'s keys are not normalized URLs. Make them with '
            "--form crawlee of Node's command line, or with urlmill/crawlee in Node",
        )
    former = FORMER_VALUES.get(name, {})
    if isinstance(value, str) and value in former:
        raise bad_option(shown, value, says("new_value", former[value]))
    choices = CHOICES.get(name) or _VALUES.get(name)
    if choices is not None:
        if not any(_equals(value, choice) for choice in choices):
            listed = ", ".join(str(choice) for choice in choices)
            raise bad_option(shown, value, listed + _near_value(value, choices))
        return
    kind = KINDS.get(name)
    if kind is None:
        raise OptionError("BAD_OPTION", says("unknown", name, _hint_for(name, OPTION_NAMES)))
    if not _ACCEPTS[kind](value):
        paths = ", or paths of such files" if kind == "text" else ""
        raise bad_option(shown, value, EXPECTED[name] + paths)


def _hint_for(name: str, known: Sequence[str]) -> str:
    """A hint for a name that an option had, that TypeScript writes in another way, or that is near to one."""
    now = FORMER_NAMES.get(name)
    if now is not None:
        return says("new_name", now)
    return _in_snake_case(name) or option_suggestion(str(name), known)


def _near_value(value: object, choices: Sequence[str | bool]) -> str:
    texts = [choice for choice in choices if isinstance(choice, str)]
    return suggestion(value, texts) if isinstance(value, str) else ""


def check_site_option(pattern: str, name: str, value: object) -> None:
    """Raise ``BAD_OPTION`` for what a site cannot set."""
    if name not in SITE_OPTIONS:
        raise OptionError(
            "BAD_OPTION",
            says("not_for_a_site", name, pattern)
            if name in OPTION_NAMES
            else says("unknown_for_a_site", name, pattern, _hint_for(name, SITE_OPTIONS)),
        )
    check_option(name, value, f'sites["{pattern}"]["{name}"]')


def _equals(value: object, choice: str | bool) -> bool:
    if isinstance(choice, bool):
        return value is choice
    return isinstance(value, str) and value == choice


def _in_snake_case(name: object) -> str:
    """Return a hint for a name that was written as in TypeScript, such as ``trailingDot``; else ""."""
    snake = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", str(name))
    return f": write {snake}" if snake != name and snake in OPTION_NAMES else ""
