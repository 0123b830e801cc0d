"""Keys of rows in Spark, and which rows are the first with their key."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ._fingerprints import check_fingerprint_options
from ._key_set import KeySet
from ._normalizer import Normalizer
from ._row_bases import normalize_with_bases
from ._spark_functions import Stream

if TYPE_CHECKING:
    from ._option_types import NormalizerOptions, PresetName

_TRIED = 100_000
"""Rows of a task after which `first_keys` looks for all repeats no more where they are few."""
_FEW = 0.25
"""The share of repeats from which on finding them takes less time than sending them."""
_MOST_KEYS = 1 << 20
"""Keys that `first_keys` remembers, which take 24 MB."""


def url_keys(
    preset: "PresetName", key: bytes, bits: int, options: "NormalizerOptions"
) -> Callable[..., Any]:
    """Return a function that gives the key of each URL, with a column of bases or without."""
    check_fingerprint_options(key, bits)
    n = Normalizer(preset, **options)

    def url_key(urls: Any, *bases: Any) -> Any:
        texts = normalize_with_bases(n, urls, bases[0], "null")[0] if bases else urls
        return _binary(n.fingerprint_batch(texts, key=key, bits=bits).fingerprints)

    return url_key


def line_keys(preset: "PresetName", key: bytes, options: "NormalizerOptions") -> Callable[..., Any]:
    """Return a function that gives the key of each line of a list, as `Normalizer.line_keys` does."""
    check_fingerprint_options(key, 128)
    n = Normalizer(preset, **options)

    def line_key(lines: Any) -> Any:
        return _binary(n.line_keys(lines, key))

    return line_key


def first_keys(function: Callable[..., Any]) -> Callable[[Stream], Iterator[Any]]:
    """Let a function of keys give no bytes to a row whose key an earlier row of its task has.

    Some repeats keep their key. Where they are few, only those of keys that soon repeated are found: a key of very many
    rows must not make a large partition.
    """

    def first_key(batches: Stream) -> Iterator[Any]:
        import pyarrow.compute as pc

        seen, repeated = KeySet(), KeySet()
        rows = repeats = 0
        are_few = False
        for columns in batches:
            keys = function(*columns)
            if are_few:
                is_new = pc.invert(_ask(repeated.has, keys, False))
            else:
                is_new = _ask(seen.add, keys, True)
                if rows < _TRIED:
                    _ask(repeated.add, keys.filter(pc.invert(is_new)), False)
                rows, repeats = rows + len(keys), repeats + is_new.false_count
                are_few = rows >= _TRIED and repeats < _FEW * rows
                if are_few or len(seen) > _MOST_KEYS:
                    seen, rows, repeats = KeySet(), 0, 0
            yield pc.if_else(is_new, keys, b"")

    return first_key


def is_first_row(batches: Stream) -> Iterator[Any]:
    """Say for each row of a partition whether its key is new. A row without a key is."""
    seen = KeySet()
    for (keys,) in batches:
        yield _ask(seen.add, _binary(keys), True)


def _ask(ask: Callable[[memoryview], bytes], keys: Any, of_null: bool) -> Any:
    """Return what a set says of keys, as an array of true and false."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from ._columns import uint8_array

    given = keys.drop_null()
    _, offsets, data = given.buffers()
    flat = memoryview(b"")
    if len(given) > 0:
        places = memoryview(offsets).cast("i")[given.offset : given.offset + len(given) + 1]
        flat = memoryview(data)[places[0] : places[-1]]
    answers = uint8_array(ask(flat)).cast(pa.bool_())
    if len(given) == len(keys):
        return answers
    return pc.replace_with_mask(pa.repeat(of_null, len(keys)), keys.is_valid(), answers)


def _binary(keys: Any) -> Any:
    """Return keys as binary: Spark takes no fixed-size binary of a function, and may give text or large binary."""
    import pyarrow as pa

    return keys.cast(pa.binary())
