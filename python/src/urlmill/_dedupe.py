"""One row of each URL, of lists and of tables in memory, and the normal form of one URL: calls without an object."""

import os
from collections.abc import Iterable
from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, overload

from ._batches import ListBatch, is_instance, read_batch
from ._errors import BatchError, OptionError
from ._kernel import KEY_BYTES
from ._key_set import KeySet
from ._normalizer import Normalizer, normalizer_of
from ._results import NumpyArray
from ._status import Status
from ._texts import IS_ERROR, Text

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._batches import Keys
    from ._option_types import NormalizerOptions, PresetName

T = TypeVar("T", bound=Text | None)
Which = Literal["first", "last"]
_FILES = {"rules", "page_aliases", "plan"}
"""The options that may be files, whose content may change."""
_IN_LISTS = (str, bytes, type(None), float)
"""What a row of a list is: a URL, or a missing value, for which pandas has NaN."""

_IS_TEXT = bytes(code > Status.CHANGED and code != Status.NOT_A_STRING for code in range(256))
"""Translates status bytes: 1 for a text that is not a URL, else 0."""


class _Frame(Protocol):
    """Is what frames and Series of pandas and Polars have, and a list has not."""

    def head(self, n: int = ...) -> Any: ...


class _ArrowData(Protocol):
    """Is what arrays and tables of pyarrow have, and a list has not."""

    def to_pylist(self) -> list[Any]: ...


Data = TypeVar("Data", bound=_Frame | _ArrowData | NumpyArray)
"""A column or a table of a library: the result is one of the same class."""


def normalize(
    url: Text,
    preset: "PresetName | None" = None,
    *,
    base: Text | None = None,
    **options: "Unpack[NormalizerOptions]",
) -> str:
    """Return the canonical form of one URL. Options are those of `Normalizer`: make one for many URLs.

    The normalizers of the last calls are kept, but not those with lists, mappings or files among their options: these
    take a millisecond each time. Raises what `Normalizer.normalize` raises, and `OptionError`.

    >>> normalize("HTTP://Example.com/b?utm_source=x&a=1#top", "crawl")
    'http://example.com/b?a=1'
    """
    given = tuple(options.items())
    try:
        n = Normalizer(preset, **options) if _FILES & options.keys() else _kept(preset, given)
    except TypeError:
        n = Normalizer(preset, **options)
    return n.normalize(url, base)


@lru_cache(maxsize=8)
def _kept(preset: "PresetName | None", options: tuple[tuple[str, Any], ...]) -> Normalizer:
    return Normalizer(preset, **dict(options))


@overload
def dedupe(  # type: ignore[overload-overlap]
    rows: tuple[T, ...],
    url: None = None,
    preset: "PresetName | None" = None,
    *,
    keep: Which = "first",
    base: Text | None = None,
    normalizer: Normalizer | None = None,
    **options: "Unpack[NormalizerOptions]",
) -> tuple[T, ...]: ...
@overload
def dedupe(
    rows: Data,
    url: object = None,
    preset: "PresetName | None" = None,
    *,
    keep: Which = "first",
    base: Text | None = None,
    normalizer: Normalizer | None = None,
    **options: "Unpack[NormalizerOptions]",
) -> Data: ...
@overload
def dedupe(
    rows: Iterable[T],
    url: None = None,
    preset: "PresetName | None" = None,
    *,
    keep: Which = "first",
    base: Text | None = None,
    normalizer: Normalizer | None = None,
    **options: "Unpack[NormalizerOptions]",
) -> list[T]: ...
def dedupe(
    rows: Any,
    url: object = None,
    preset: "PresetName | None" = None,
    *,
    keep: Which = "first",
    base: Text | None = None,
    normalizer: Normalizer | None = None,
    **options: "Unpack[NormalizerOptions]",
) -> Any:
    """Return one row of each URL, as the same kind and in the same order: rows whose normal forms are equal become one.

    Rows are a list, a tuple or another iterable (which gives a list), an array of numpy, a Series or DataFrame of
    pandas, a Series, DataFrame or LazyFrame of Polars, or an Array, ChunkedArray, Table or RecordBatch of pyarrow.
    `url` names the column of a frame that has the URLs: `"url"` if it is not given. The rows that stay are not changed.

    `keep` says which row of each URL stays: the first or the last. For the newest row, sort by the date before. URLs
    are resolved against `base`. Options are those of `Normalizer`, or all of them come in `normalizer`.

    As the command `urlmill dedupe` does, a value that is not a URL goes only if its text is there again, and in a frame
    only if its whole row is. Whole rows that the library cannot compare stay, such as those with lists in pandas and
    pyarrow. Rows whose value is null stay.

    Until it returns, a fingerprint of 16 bytes a row and a set of 24 bytes a URL are in memory. Raises `BatchError` for
    rows of another kind, `OptionError`, and `SeenError` with code `SET_FULL` without memory.

    >>> dedupe(["HTTP://A/?b&a", "http://a/?a&b#c", "n/a", "n/a", None, None], preset="crawl")
    ['HTTP://A/?b&a', 'n/a', None, None]
    """
    if keep not in ("first", "last"):
        raise OptionError("BAD_OPTION", "keep: must be one of first, last")
    n = normalizer_of(preset, normalizer, options)
    if is_instance(rows, "polars", "LazyFrame"):
        # What a query does after it must not be done before it: another row could be the first.
        return rows.map_batches(
            lambda frame: _deduped(frame, url, n, keep, base),
            predicate_pushdown=False,
            projection_pushdown=False,
            slice_pushdown=False,
        )
    return _deduped(rows, url, n, keep, base)


def _deduped(rows: Any, url: object, n: Normalizer, keep: Which, base: Text | None) -> Any:
    names = _names(rows)
    if names is None:
        if url is not None:
            raise OptionError(
                "BAD_OPTION", f"url: {type(rows).__name__} has no columns; leave it out"
            )
        batch = read_batch(rows)
        if isinstance(batch, ListBatch):
            rows = _checked_list(batch.texts)
        return _filtered(rows, _marks(n._keys_of(batch, n.fingerprint_key, base, texts=True), keep))
    batch = read_batch(_column(rows, names, url))
    keys = n._keys_of(batch, n.fingerprint_key, base)
    marks = _marks(keys, keep)
    is_text = keys.codes.translate(_IS_TEXT)
    if 1 in is_text:
        are_kept = _whole_rows(_filtered(rows, is_text), keep)
        for row, is_kept in zip(compress(range(len(marks)), is_text), are_kept, strict=True):
            marks[row] = is_kept
    return _filtered(rows, marks)


def _names(rows: Any) -> list[Any] | None:
    """Return the names of the columns of a frame, None for anything else."""
    if is_instance(rows, "pandas", "DataFrame") or is_instance(rows, "polars", "DataFrame"):
        return list(rows.columns)
    return rows.schema.names if is_instance(rows, "pyarrow", "Table", "RecordBatch") else None


def _column(frame: Any, names: list[Any], url: object) -> Any:
    """Return the column with the URLs. Raise `BAD_OPTION` if there is no such column, or there are two."""
    name = "url" if url is None else url
    if names.count(name) == 1:
        return frame[name]
    number = "are two columns" if name in names else "is no column"
    listed = ", ".join(map(repr, names))
    raise OptionError(
        "BAD_OPTION", f"url: there {number} {name!r}; name the one with the URLs: {listed}"
    )


def _checked_list(rows: Any) -> Any:
    """Return the rows of a list. Raise `BatchError` if one cannot be a URL."""
    for kind in set(map(type, rows)):
        if not issubclass(kind, _IN_LISTS) and kind.__name__ != "NAType":
            raise BatchError(
                "BAD_INPUT",
                f"a row is {kind.__name__}: give URLs as str or bytes, or a frame with a column of "
                "them, as pandas.DataFrame(rows) makes it",
            )
    return rows


def _marks(keys: "Keys", keep: Which) -> bytearray:
    """Return a byte a row: 1 if it is the first or the last with its key, or has no key, else 0."""
    flat, errors = bytearray(keys.flat), keys.codes.translate(IS_ERROR)
    own = os.urandom(KEY_BYTES * errors.count(1))
    for at, row in enumerate(compress(range(len(errors)), errors)):
        # A row without a key gets one that no other row has.
        flat[KEY_BYTES * row : KEY_BYTES * (row + 1)] = own[KEY_BYTES * at : KEY_BYTES * (at + 1)]
    if keep == "first":
        return bytearray(KeySet().add(memoryview(flat)))
    # From the end on. Their bytes turn around, too, and are as good a hash.
    flat.reverse()
    marks = bytearray(KeySet().add(memoryview(flat)))
    marks.reverse()
    return marks


def _filtered(rows: Any, marks: bytes | bytearray) -> Any:
    """Return the rows whose mark is 1."""
    if is_instance(rows, "polars", "Series", "DataFrame"):
        import polars as pl

        return rows.filter(pl.Series(marks, dtype=pl.UInt8) == 1)
    if is_instance(rows, "pyarrow", "Array", "ChunkedArray", "Table", "RecordBatch"):
        import pyarrow as pa

        from ._columns import uint8_array

        try:
            return rows.filter(uint8_array(marks).cast(pa.bool_()))
        except pa.ArrowNotImplementedError as error:
            raise BatchError(
                "BAD_COLUMN",
                "pyarrow cannot pick rows of such a column, for example of a run-end encoded one, which "
                f"pyarrow.compute.run_end_decode makes plain: {error}",
            ) from error
    if not isinstance(rows, (list, tuple)):
        import numpy as np

        return rows[np.frombuffer(marks, bool)]
    kept = compress(rows, marks)
    return tuple(kept) if isinstance(rows, tuple) else list(kept)


def _whole_rows(frame: Any, keep: Which) -> list[bool]:
    """Say of each row of a frame whether it is the first or last of those that are equal as a whole.

    That is so for all rows if the library cannot compare them.
    """
    if is_instance(frame, "pandas", "DataFrame"):
        try:
            return [not is_repeat for is_repeat in frame.duplicated(keep=keep)]
        except (TypeError, NotImplementedError):
            return [True] * len(frame)
    if is_instance(frame, "polars", "DataFrame"):
        import polars as pl

        row = pl.struct(pl.all())
        try:
            first = row.is_first_distinct() if keep == "first" else row.is_last_distinct()
            return list(frame.select(first).to_series())
        except pl.exceptions.InvalidOperationError:
            return [True] * len(frame)
    import pyarrow as pa

    count, names = frame.num_rows, [str(place) for place in range(frame.num_columns)]
    table = pa.table(dict(zip(names, frame.columns, strict=True))).unify_dictionaries()
    numbered = table.append_column("row", [list(range(count))])
    try:
        which = "min" if keep == "first" else "max"
        firsts = numbered.group_by(names).aggregate([("row", which)])[f"row_{which}"].to_pylist()
    except NotImplementedError:
        return [True] * count
    kept = bytearray(count)
    for row in firsts:
        kept[row] = 1
    return list(map(bool, kept))
