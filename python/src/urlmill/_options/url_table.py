"""Writes tables of URLs in a plan (src/plan/url-table.ts)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, chain

from .plan_writer import PlanWriter, hash_forward
from .tables import URLS


def write_url_table(writer: PlanWriter, entries: Sequence[tuple[str, ...]]) -> int:
    """Write a table of URLs, each with its texts; return its address.

    Those of one slot are sorted, so that look-ups are never slow.
    """
    slots = 1 << len(entries).bit_length()
    placed = sorted((hash_forward(entry[0]) & (slots - 1), entry) for entry in entries)
    texts = [writer.shared_text(text) for text in chain.from_iterable(e for _, e in placed)]
    counts = Counter(slot for slot, _ in placed)
    starts = accumulate((counts[slot] for slot in range(slots)), initial=0)
    words = [0] * URLS["WORDS"]
    words[URLS["MASK"]] = slots - 1
    words[URLS["LONGEST"]] = max(len(entry[0]) for entry in entries)
    return writer.append([*words, *starts, *texts])
