"""Writes aliases of URLs in a plan (src/plan/encode-aliases.ts)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..plan_writer import Entry, PlanWriter, hash_backward
from ..tables import KIND
from .page_alias import PageAlias


def write_page_aliases(writer: PlanWriter, aliases: Mapping[str, Sequence[PageAlias]]) -> int:
    """Write a table of sites, whose values are tables of URLs; return its address, or 0."""
    sites = [
        Entry(site, KIND["EXACT"], _write_site(writer, aliases[site])) for site in sorted(aliases)
    ]
    return writer.optional_table(sites, hash_backward)


def _write_site(writer: PlanWriter, aliases: Sequence[PageAlias]) -> int:
    urls = [
        Entry(alias.source, KIND["EXACT"], writer.shared_text(alias.target))
        for alias in sorted(aliases, key=lambda alias: alias.source)
    ]
    return writer.table(urls)
