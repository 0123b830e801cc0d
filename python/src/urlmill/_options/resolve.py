"""Options with the values of presets filled in."""

from __future__ import annotations

from collections.abc import Mapping, Set

from .checks import check_option, check_site_option
from .tables import PRESETS

Options = Mapping[str, object]


def resolve_options(options: Options) -> Options:
    """Return checked options on top of those of their preset; None counts as absent."""
    own = _given(options)
    for name, value in own.items():
        check_option(name, value, name)
    preset = own.pop("preset", "safe")
    return {**PRESETS[str(preset)], **own}


def resolve_site(pattern: str, options: Options, above: Options) -> Options:
    """Return a site's options on top of those for all hosts, or of the preset the site names."""
    own = _given(options)
    for name, value in own.items():
        check_site_option(pattern, name, value)
    preset = own.pop("preset", None)
    return {**(above if preset is None else PRESETS[str(preset)]), **own}


def _given(options: Options) -> dict[str, object]:
    return {name: _in_order(value) for name, value in options.items() if value is not None}


def _in_order(value: object) -> object:
    """Return the texts of a set in an order that is the same in every process."""
    if isinstance(value, Set) and all(isinstance(item, str) for item in value):
        return sorted(value)
    return value
