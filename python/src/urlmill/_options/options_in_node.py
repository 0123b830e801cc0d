"""Options as the TypeScript package writes them into sets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from .checks import whole_number
from .resolve import Options, resolve_options
from .source_lines import read_sources
from .tables import DEFAULT_MAX_LENGTH


def options_in_node(options: Options) -> dict[str, Any]:
    """Return resolved options with their names in TypeScript; digests stand for the texts of rules and aliases."""
    resolved: dict[str, Any] = dict(resolve_options(options))
    resolved.pop("engine", None)
    resolved["max_length"] = whole_number(resolved.get("max_length")) or DEFAULT_MAX_LENGTH
    for name, kind in (("rules", "rules"), ("page_aliases", "aliases")):
        if name in resolved:
            texts = [source.text for source in read_sources(resolved[name], kind)]
            resolved[name] = f"sha256:{sha256(''.join(texts).encode()).hexdigest()}"
    if "sites" in resolved:
        sites: Mapping[str, Options] = resolved["sites"]
        resolved["sites"] = {site: _in_camel_case(own) for site, own in sites.items()}
    return _in_camel_case(resolved)


def _in_camel_case(options: Options) -> dict[str, Any]:
    return {
        re.sub("_([a-z])", lambda letter: letter[1].upper(), name): value
        for name, value in options.items()
        if value is not None
    }
