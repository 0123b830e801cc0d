"""Writes aliases of URLs in a plan (src/plan/encode-aliases.ts)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain

from ..plan_writer import Entry, PlanWriter, hash_backward, hash_forward
from ..tables import KIND, URLS
from .page_alias import PageAlias


def write_page_aliases(writer: PlanWriter, aliases: Mapping[str, Sequence[PageAlias]]) -> int:
    """Write a table of sites, whose values are tables of URLs; return its address, or 0."""
    sites = [
        Entry(site, KIND["EXACT"], _write_urls(writer, aliases[site])) for site in sorted(aliases)
    ]
    return writer.optional_table(sites, hash_backward)


def _write_urls(writer: PlanWriter, aliases: Sequence[PageAlias]) -> int:
    """Write a table of URLs; those of one slot are sorted, so that look-ups are never slow."""
    slots = 1 << len(aliases).bit_length()
    placed = sorted(
        (hash_forward(alias.source) & (slots - 1), alias.source, alias) for alias in aliases
    )
    texts = [(writer.text(source), writer.shared_text(alias.target)) for _, source, alias in placed]
    counts = Counter(slot for slot, _, _ in placed)
    starts = accumulate((counts[slot] for slot in range(slots)), initial=0)
    words = [0] * URLS["WORDS"]
    words[URLS["MASK"]] = slots - 1
    words[URLS["LONGEST"]] = max(len(alias.source) for alias in aliases)
    return writer.append([*words, *starts, *chain.from_iterable(texts)])
