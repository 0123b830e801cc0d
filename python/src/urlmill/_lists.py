"""Lists whose rows may be anything: texts are normalized, and other rows have no normal form."""

from collections.abc import Sequence

from ._batches import dense_texts
from ._fingerprints import spread
from ._kernel import Kernel
from ._texts import normalize_texts


def normalize_list(kernel: Kernel, rows: Sequence[object]) -> tuple[list[str | None], bytes]:
    """Return the normal form of each row, or None for a row that has none, and one status byte a row."""
    texts, places = dense_texts(rows)
    dense, codes = normalize_texts(kernel, texts)
    if places is None:
        return dense, codes
    values: list[str | None] = [None] * len(rows)
    for place, value in zip(places, dense, strict=True):
        values[place] = value
    return values, bytes(spread(places, codes, len(rows)))
