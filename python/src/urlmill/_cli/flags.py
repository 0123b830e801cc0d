"""Flags of the command: those of normalizers, and those of a run."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from .._errors import OptionError
from .._options.tables import CHOICES, KINDS, NODE_WORDS, OPTION_NAMES
from .hand_over import Unsupported, is_of_nobody

_SHORT = {"-p": "--preset", "-o": "--output", "-q": "--quiet", "-h": "--help"}
_SWITCHES = {
    "--json": ("json", True),
    "--quiet": ("quiet", True),
    "--help": ("help", True),
    "--header": ("header", True),
    "--no-header": ("header", False),
}

_NODE_FLAGS = sorted(word for word in NODE_WORDS if word.startswith("--"))
_NEAR = 0.8
"""How alike a flag is to one that is meant, of 1."""


@dataclass
class Flags:
    """Holds what a call says."""

    options: dict[str, Any] = field(default_factory=dict)
    run: dict[str, Any] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)


def parse_flags(arguments: Sequence[str], known: dict[str, Sequence[str] | None]) -> Flags:
    """Read flags. `known` has the flags of the run with their values, None for any.

    Raises `Unsupported` for a flag, or a value of one, that this command has not, and `OptionError` for a wrong call.
    """
    flags, given = Flags(), list(arguments)
    while given:
        text = given.pop(0)
        if text == "--":
            flags.files += given
            break
        if text == "-" or not text.startswith("-"):
            flags.files.append(text)
            continue
        name, has_value, value = text.partition("=")
        name = _SHORT.get(name, name)
        switch, is_on = _SWITCHES.get(name, ("", False))
        if f"--{switch}" in known:
            if has_value:
                raise OptionError("BAD_OPTION", f"{name} takes no value")
            flags.run[switch] = is_on
            continue
        option = name[2:].replace("-", "_")
        if name not in known and option not in OPTION_NAMES:
            options = (f"--{each.replace('_', '-')}" for each in OPTION_NAMES)
            names = (
                []
                if not is_of_nobody(f"flag {name}")
                else [*known, *_SWITCHES, *options, *_NODE_FLAGS]
            )
            raise Unsupported(f"flag {name}", *get_close_matches(name, names, 1, _NEAR))
        if not has_value:
            if not given:
                raise OptionError("BAD_OPTION", f"{name} needs a value")
            value = given.pop(0)
        if name in known:
            flags.run[option] = _checked(name, value, known[name])
        else:
            _set_option(flags.options, option, value)
    return flags


def _checked(name: str, value: str, values: Sequence[str] | None) -> str:
    if values is not None and value not in values:
        raise Unsupported(f"{name} {value}")
    return value


def _set_option(options: dict[str, Any], name: str, value: str) -> None:
    if name == "engine" and value == "js":
        raise Unsupported("--engine js")
    read = _READERS.get(KINDS.get(name, ""), str)
    if KINDS.get(name) == "pairs":
        options[name] = {**options.get(name, {}), **_pair(name, value)}
    elif name in CHOICES:
        options[name] = {"true": True, "false": False}.get(value, value)
    else:
        options[name] = read(value)


def _pair(name: str, value: str) -> dict[str, str]:
    key, equals, to = value.partition("=")
    if not equals:
        raise OptionError("BAD_OPTION", f"--{name.replace('_', '-')} needs NAME=VALUE")
    return {key: to}


def _sites(value: str) -> Any:
    try:
        given = json.loads(value)
    except ValueError as error:
        raise OptionError("BAD_OPTION", f"--sites is not JSON: {error}") from error
    return options_of_sites(given)


def options_of_sites(given: Any) -> dict[str, dict[str, Any]]:
    """Return the options of sites by their names in Python. Raise `OptionError` for anything else."""
    if not isinstance(given, dict) or not all(isinstance(each, dict) for each in given.values()):
        shown = json.dumps(given, separators=(",", ":"), ensure_ascii=False)
        message = (
            f"option sites cannot be {shown}: expected an object that maps host patterns to options"
        )
        raise OptionError("BAD_OPTION", message)
    return {
        site: {snake(name): each for name, each in of_site.items()}
        for site, of_site in given.items()
    }


def snake(name: str) -> str:
    """Return the name in Python of an option of Node."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def _whole(value: str) -> int:
    if not value.isascii() or not value.isdigit():
        raise OptionError("BAD_OPTION", f"{value} is not a whole number")
    return int(value)


def _names(value: str) -> list[str]:
    return [name.strip() for name in value.split(",")]


def _file_names(value: str) -> "str | bool | list[str]":
    return value if value == "keep" else value == "true" or _names(value)


_READERS: dict[str, Callable[[str], Any]] = {
    "bytes": _whole,
    "names": _names,
    "fileNames": _file_names,
    "sites": _sites,
    "text": Path,
}
