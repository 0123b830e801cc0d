"""Compiles options to a plan."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .checks import whole_number
from .encode import CompiledOptions, encode_plan
from .host_moves import check_host_options
from .hosts import NormalHost, check_patterns, compile_aliases, compile_sites
from .messages import bad_option, says
from .profile import ProfileCompiler
from .resolve import resolve_options
from .slash_rules import check_slash_rules
from .tables import DEFAULT_MAX_LENGTH, EVIDENCE_LEVELS

if TYPE_CHECKING:
    from .aliases.normalize_aliases import NormalizeUrls
    from .aliases.page_alias import PageAlias
    from .rules.rule import Rule

_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*")


def _no_urls(_plan: bytes, _urls: list[str]) -> Sequence[str | None]:
    raise TypeError("compile_plan takes aliases with normalize_urls only")


def compile_plan(
    options: Mapping[str, object],
    normal_host: NormalHost,
    normalize_urls: NormalizeUrls = _no_urls,
) -> bytes:
    """Return the plan of options: the bytes that the TypeScript package makes of the same options.

    ``options`` are those of ``createNormalizer`` with names in snake_case, also within ``sites``;
    None counts as absent. ``rules`` and ``page_aliases`` are the text of a file, a path, or a list of paths.
    ``normal_host`` writes a host as normalizing does, or returns None (see ``normal_host_of``).
    ``normalize_urls`` normalizes URLs under a plan; only aliases need it.

    Raises ``OptionError`` with code ``BAD_OPTION`` for an option that is unknown, has a value that
    it cannot have or could never have an effect, and ``BAD_RULES`` for rules or aliases that
    are not a file of them. Raises ``OSError`` for a file that cannot be read.
    """
    compiled = _compile_options(options, normal_host)
    plan = encode_plan(compiled._replace(page_aliases={}))
    if not compiled.page_aliases:
        return plan
    from .aliases.normalize_aliases import normalize_aliases

    aliases = normalize_aliases(compiled.page_aliases, plan, normalize_urls)
    return encode_plan(compiled._replace(page_aliases=aliases))


def _compile_options(options: Mapping[str, object], normal_host: NormalHost) -> CompiledOptions:
    resolved: Mapping[str, Any] = resolve_options(options)
    compiler = ProfileCompiler()
    schemes = resolved.get("allowed_schemes")
    compiled = CompiledOptions(
        max_length=whole_number(resolved.get("max_length")) or DEFAULT_MAX_LENGTH,
        default_scheme=resolved.get("default_scheme"),
        schemes=None if schemes is None else [_compile_scheme(scheme) for scheme in schemes],
        host_aliases=compile_aliases(resolved.get("host_aliases", {}), normal_host),
        profile=compiler.compile(resolved),
        sites=compile_sites(resolved.get("sites", {}), resolved, compiler, normal_host),
        site_rules=_compile_rules(resolved, normal_host),
        page_aliases=_compile_aliases(resolved, normal_host),
    )
    _check_schemes(compiled)
    check_patterns(compiled.sites)
    check_slash_rules(compiled.site_rules, compiled.profile, compiled.sites)
    check_host_options(compiled.profile, compiled.host_aliases, compiled.sites)
    return compiled


def _compile_scheme(scheme: str) -> str:
    if _SCHEME.fullmatch(scheme) is None:
        raise bad_option("allowed_schemes", scheme, says("schemes"))
    return scheme.lower()


def _check_schemes(compiled: CompiledOptions) -> None:
    """Raise ``BAD_OPTION`` for a scheme that is written but does not pass: its URLs could not be normalized again."""
    schemes = compiled.schemes
    for profile in (compiled.profile, *(site.profile for site in compiled.sites)):
        scheme = profile.choices["scheme"]
        if scheme != "keep" and schemes is not None and scheme not in schemes:
            raise bad_option(
                "scheme", scheme, says("allowed_scheme", "allowed_schemes", ", ".join(schemes))
            )


def _compile_rules(
    options: Mapping[str, Any], normal_host: NormalHost
) -> Mapping[str, Sequence[Rule]]:
    """Return rules by site, without those whose evidence is weaker than ``accept``."""
    rules = options.get("rules")
    if rules is None:
        return {}
    # Most normalizers have no rules, and reading them takes many modules.
    from .rules.rule_file import parse_rules
    from .source_lines import read_sources

    by_site: dict[str, list[Rule]] = {}
    for rule in parse_rules(read_sources(rules, "rules"), normal_host):
        if _is_accepted(rule.level, options):
            by_site.setdefault(rule.site, []).append(rule)
    return by_site


def _compile_aliases(
    options: Mapping[str, Any], normal_host: NormalHost
) -> Mapping[str, Sequence[PageAlias]]:
    """Aliases by site; those whose evidence is weaker than ``accept`` are left out."""
    given = options.get("page_aliases")
    if given is None:
        return {}
    from .aliases.alias_file import parse_aliases
    from .source_lines import read_sources

    by_site: dict[str, list[PageAlias]] = {}
    for alias in parse_aliases(read_sources(given, "aliases"), normal_host):
        if _is_accepted(alias.level, options):
            by_site.setdefault(alias.site, []).append(alias)
    return by_site


def _is_accepted(level: str | None, options: Mapping[str, Any]) -> bool:
    weakest = EVIDENCE_LEVELS.index(options.get("accept", "fetched"))
    return level is None or EVIDENCE_LEVELS.index(level) <= weakest
