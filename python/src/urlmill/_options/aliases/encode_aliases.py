"""Writes aliases of URLs in a plan (src/plan/encode/encode-aliases.ts)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..plan_writer import Entry, PlanWriter, hash_backward
from ..tables import ANY_PARAMS_PLAN_VERSION, KIND
from ..url_table import UrlEntry, write_url_table
from .any_params import base_of_any, marked_base
from .number_range import range_in
from .page_alias import PageAlias


def write_page_aliases(writer: PlanWriter, aliases: Mapping[str, Sequence[PageAlias]]) -> int:
    """Write a table of sites, whose values are tables of URLs; return its address, or 0."""
    if any(base_of_any(alias.source) for own in aliases.values() for alias in own):
        writer.need_version(ANY_PARAMS_PLAN_VERSION)
    sites = [
        Entry(site, KIND["EXACT"], write_url_table(writer, [_entry(alias) for alias in own]))
        for site, own in sorted(aliases.items())
    ]
    return writer.optional_table(sites, hash_backward)


def _entry(alias: PageAlias) -> UrlEntry:
    found, base = range_in(alias.source), base_of_any(alias.source)
    if found is not None:
        return (found.shape, alias.target, found.first, found.last)
    return (alias.source if base is None else marked_base(base), alias.target, 0, 0)
