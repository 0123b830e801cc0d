"""Writes compiled options as a plan (src/plan/layout.ts)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .hosts import Alias, Site
from .plan_writer import Entry, PlanWriter, hash_backward, hash_forward
from .profile import Defaults, Names, Profile
from .tables import (
    CHOICE_BITS,
    CHOICES,
    DEFAULT_SCHEMES,
    DIRECTORY_INDEX,
    HEADER,
    KIND,
    LISTED,
    PLAN_VERSION,
    PROFILE,
    SESSION_PARAMS,
    TRACKING_PARAMS,
    UNWRAP_PLAN_VERSION,
)

if TYPE_CHECKING:
    from .aliases.page_alias import PageAlias
    from .rules.rule import Rule


class CompiledOptions(NamedTuple):
    """What options compile to, with all names in the form that normalizing writes."""

    #: Longest URL in bytes, in and out.
    max_length: int
    #: Scheme put before input that has none, or None.
    default_scheme: str | None
    #: Schemes that pass, or None for all.
    schemes: Sequence[str] | None
    host_aliases: Sequence[Alias]
    profile: Profile
    sites: Sequence[Site]
    #: Rules by site, in their order.
    site_rules: Mapping[str, Sequence[Rule]]
    #: Aliases of URLs by site.
    page_aliases: Mapping[str, Sequence[PageAlias]]


def encode_plan(options: CompiledOptions) -> bytes:
    """Return the plan of compiled options: equal options give equal bytes."""
    writer = PlanWriter()
    header = writer.reserve(HEADER["WORDS"])

    def put(field: str, value: int) -> None:
        writer.set(header + 4 * HEADER[field], value)

    put("VERSION", PLAN_VERSION)
    put("MAX_LENGTH", options.max_length)
    if options.default_scheme is not None:
        put("DEFAULT_SCHEME", DEFAULT_SCHEMES.index(options.default_scheme) + 1)
    if options.schemes is not None:
        put("SCHEMES", writer.table([_exact(scheme) for scheme in options.schemes]))
    by_host = sorted(
        options.host_aliases, key=lambda alias: (alias.host, alias.is_label, alias.below)
    )
    aliases = [
        Entry(alias.host, _kind_of_alias(alias), writer.text(alias.target)) for alias in by_host
    ]
    if any(alias.is_label for alias in by_host):
        writer.need_version(UNWRAP_PLAN_VERSION)
    put("ALIASES", writer.optional_table(aliases, hash_backward))
    put("LONGEST_ALIAS", max((len(alias.target) for alias in by_host), default=0))
    put("PROFILE", _write_profile(writer, options.profile))
    sites = [
        Entry(site.host, _kind_of(site.subdomains), _write_profile(writer, site.profile))
        for site in sorted(options.sites, key=lambda site: (site.host, site.subdomains))
    ]
    put("SITES", writer.optional_table(sites, hash_backward))
    if options.site_rules or options.page_aliases:
        from .rules.encode_rules import write_site_rules

        written = write_site_rules(writer, options.site_rules, options.page_aliases)
        put("SITE_RULES", written.sites)
        put("ANY_RULES", written.any)
        put("RULE_FILTER", written.filter)
        put("PAGE_ALIASES", written.aliases)
    return writer.bytes()


def _kind_of_alias(alias: Alias) -> int:
    return KIND["PREFIX"] if alias.is_label else _kind_of(alias.below)


def _kind_of(below: bool) -> int:
    return KIND["SUBDOMAINS" if below else "EXACT"]


def _exact(name: str, value: int = 0) -> Entry:
    return Entry(name, KIND["EXACT"], value)


def _pattern(name: str, value: int = 0) -> Entry:
    """The entry of ``name``, ``prefix*`` or ``*suffix``."""
    if name.endswith("*"):
        return Entry(name[:-1], KIND["PREFIX"], value)
    return Entry(name[1:], KIND["SUFFIX"], value) if name.startswith("*") else _exact(name, value)


def _write_profile(writer: PlanWriter, profile: Profile) -> int:
    words = [*_pack_choices(profile), *_write_tables(writer, profile)]
    return writer.once(("profile", *words), lambda: writer.append(words))


def _write_tables(writer: PlanWriter, profile: Profile) -> list[int]:
    """The tables of a profile; profiles whose names are compared alike share them."""
    fold = profile.fold

    def table(option: str, names: Names, is_optional: bool = True) -> int:
        entries = [_pattern(name) for name in names]
        write = writer.optional_table if is_optional else writer.table
        key: Hashable = (option, fold, names)
        return writer.once(key, lambda: write(entries, hash_forward, fold.names))

    choices, files = profile.choices, profile.directory_index
    listed: Hashable = ("listed", choices["session_ids"], choices["tracking_params"])
    # The default list is the same however names of parameters are compared.
    file_key: Hashable = (
        "default files" if files is DIRECTORY_INDEX else ("directory_index", fold, files)
    )
    keep = profile.keep_params
    return [
        0 if keep is None else table("keep_params", keep, is_optional=False),
        table("drop_params", profile.drop_params),
        writer.once(
            listed, lambda: writer.optional_table(_listed_names(profile), hash_forward, True)
        ),
        writer.once(
            ("default_params", fold, profile.default_params),
            lambda: _write_defaults(writer, profile.default_params, fold.names),
        ),
        writer.once(
            file_key,
            lambda: writer.optional_table([_exact(file) for file in files], hash_forward, True),
        ),
    ]


def _listed_names(profile: Profile) -> list[Entry]:
    """Names the package lists, by what they stand for."""
    names: list[Entry] = []
    if profile.choices["session_ids"] == "remove":
        names += [_pattern(name, LISTED["SESSION"]) for name in SESSION_PARAMS]
    if profile.choices["tracking_params"] == "remove":
        names += [_pattern(name, LISTED["TRACKING"]) for name in TRACKING_PARAMS]
    return names


def _write_defaults(writer: PlanWriter, defaults: Defaults, ignore_case: bool) -> int:
    entries = [_exact(name, writer.text(value)) for name, value in defaults]
    return writer.optional_table(entries, hash_forward, ignore_case)


def _pack_choices(profile: Profile) -> list[int]:
    """The numbers of the values."""
    words = [0] * PROFILE["CHOICE_WORDS"]
    for name, values in CHOICES.items():
        word, bit = CHOICE_BITS[name]
        words[word] |= values.index(profile.choices[name]) << bit
    return words
