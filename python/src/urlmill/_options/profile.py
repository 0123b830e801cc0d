"""Compiles the options that can be set for one site, with names as normalizing writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from .messages import bad_option, says
from .resolve import Options
from .tables import CHOICES, DIRECTORY_INDEX
from .written import lower_case, written_in_path, written_in_query

Names = tuple[str, ...]
Defaults = tuple[tuple[str, str], ...]
R = TypeVar("R")


class Fold(NamedTuple):
    """Says whether names, and values, are compared in lower case."""

    names: bool
    values: bool

    def name(self, text: str) -> str:
        """Return a name as it is compared."""
        return text.lower() if self.names else text

    def value(self, text: str) -> str:
        """Return a value as it is compared."""
        return lower_case(text) if self.values else text


class Profile(NamedTuple):
    """Everything that can be set for one site; lists are sorted and name nothing twice."""

    choices: Mapping[str, str | bool]
    fold: Fold
    #: File names in lower case; ``DIRECTORY_INDEX`` itself for the default list.
    directory_index: Names
    keep_params: Names | None
    drop_params: Names
    default_params: Defaults

    def values(self) -> dict[str, object]:
        """Return the value of each option."""
        own = {name: getattr(self, name) for name in self._fields[2:]}
        return {**self.choices, **own, "default_params": dict(self.default_params)}


class ProfileCompiler:
    """Compiles profiles; a list that many sites share is compiled once."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, Fold, int], tuple[object, Any]] = {}

    def compile(self, options: Options, site: str | None = None) -> Profile:
        """Return the profile of checked options; ``site`` is the pattern they are for."""
        choices: dict[str, Any] = {
            name: options.get(name, values[0]) for name, values in CHOICES.items()
        }
        # Where the query is written in lower case, names and values are compared so.
        is_lower = choices["case"] == "lower-path-query"
        fold = Fold(is_lower or choices["param_case"] == "ignore", is_lower)
        choices["param_case"] = "ignore" if fold.names else "keep"

        def compiled(name: str, absent: R, compile_list: Callable[[Any, str, Fold], R]) -> R:
            source = options.get(name)
            if source is None or source == "keep":
                return absent
            if source is True:
                return DIRECTORY_INDEX  # type: ignore[return-value]
            shown = name if site is None else f'sites["{site}"]["{name}"]'
            return self._once(name, source, fold, lambda: compile_list(source, shown, fold))

        drops_all = "*" in cast("Sequence[str]", options.get("drop_params") or ())
        if drops_all and options.get("keep_params") is not None:
            name = "drop_params" if site is None else f'sites["{site}"]["drop_params"]'
            raise bad_option(name, "*", says("no_keep_params", "keep_params"))

        return Profile(
            choices,
            fold,
            compiled("directory_index", (), _compile_file_names),
            () if drops_all else compiled("keep_params", None, _compile_patterns),
            () if drops_all else compiled("drop_params", (), _compile_patterns),
            compiled("default_params", (), _compile_defaults),
        )

    def _once(self, name: str, source: object, fold: Fold, compile_list: Callable[[], R]) -> R:
        key = (name, fold, id(source))
        known = self._compiled.get(key)
        if known is None:
            # The source is kept as well, so that no other list gets its id.
            known = self._compiled[key] = (source, compile_list())
        written: R = known[1]
        return written


def _compile_patterns(names: Sequence[str], option: str, fold: Fold) -> Names:
    """Names, ``prefix*`` and ``*suffix``."""
    patterns = set()
    for name in names:
        before = "*" if name.startswith("*") else ""
        after = "*" if name.endswith("*") else ""
        if before and after and len(name) > 1:
            raise bad_option(option, name, says("star_at_one_end"))
        text = name[len(before) : max(len(before), len(name) - len(after))]
        patterns.add(before + fold.name(_compile_param_name(option, text, name)) + after)
    return tuple(sorted(patterns))


def _compile_defaults(defaults: Mapping[str, str], option: str, fold: Fold) -> Defaults:
    compiled: dict[str, str] = {}
    for given, text in defaults.items():
        name = fold.name(_compile_param_name(option, given, given))
        value = fold.value(_compile_param_value(option, text))
        other = compiled.setdefault(name, value)
        if other != value:
            raise bad_option(option, given, says("one_value", other, value))
    return tuple(sorted(compiled.items()))


def _compile_file_names(names: Sequence[str], option: str, _: Fold) -> Names:
    """File names, compared without ASCII case."""
    files = set()
    for name in names:
        written = written_in_path(name)
        if written in ("", ".", "..") or "/" in written:
            raise bad_option(option, name, says("file_names"))
        files.add(written.lower())
    return tuple(sorted(files))


def _compile_param_name(option: str, name: str, shown: str) -> str:
    if name == "":
        raise bad_option(option, shown, says("name_not_empty", "drop_params"))
    written = _compile_param_value(option, name)
    if "=" in written:
        raise bad_option(option, shown, says("name_without_equals"))
    return written


def _compile_param_value(option: str, value: str) -> str:
    written = written_in_query(value)
    if "&" in written:
        raise bad_option(option, value, says("no_ampersand"))
    return written
