"""Writes tables of URLs in a plan (src/plan/encode/url-table.ts)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from .plan_writer import PlanWriter, hash_forward
from .tables import ANY_MARK, URLS

#: A URL; that of an alias with its target, and the first and last number of its range or 0 and 0.
#: It has ``<`` in place of the number, or ends with ``>`` in place of any other parameters.
UrlEntry = tuple[str] | tuple[str, str, int, int]


def write_url_table(writer: PlanWriter, entries: Sequence[UrlEntry]) -> int:
    """Write a table of URLs, each with what belongs to it; return its address.

    Those of one slot are sorted, so that look-ups are never slow.
    """
    urls = {entry[0] for entry in entries}
    slots = 1 << len(urls).bit_length()
    placed = sorted(
        ((hash_forward(entry[0]) & (slots - 1), entry) for entry in entries),
        key=lambda each: (each[0], each[1][0], each[1][2:]),
    )
    parts = [
        writer.shared_text(part) if isinstance(part, str) else part
        for _, entry in placed
        for part in entry
    ]
    counts = Counter(slot for slot, _ in placed)
    starts = accumulate((counts[slot] for slot in range(slots)), initial=0)
    words = [0] * URLS["WORDS"]
    words[URLS["MASK"]] = slots - 1
    for url in urls:
        word = URLS["LONGEST_SHAPE" if "<" in url or url.endswith(ANY_MARK) else "LONGEST"]
        words[word] = max(words[word], len(url))
    return writer.append([*words, *starts, *parts])
