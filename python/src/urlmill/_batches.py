"""Batches of every kind: what they hold for the kernel, and how results become the same kind again."""

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from itertools import compress
from typing import Any, NamedTuple, Protocol

from ._errors import BatchError, needing_pyarrow
from ._texts import IS_ERROR, RESULTS, Text


class Keys(NamedTuple):
    """Holds the fingerprints of a batch."""

    flat: bytes
    """`width` bytes a row, one after the other; zeros for a row with an error."""
    width: int
    codes: bytes
    """One status byte a row."""

    @property
    def has_errors(self) -> bool:
        """Say whether a row has no fingerprint."""
        return len(self.codes.translate(None, RESULTS)) > 0

    def array(self) -> Any:
        """Return the fingerprints as an Arrow array of fixed-size binary, null for a row with an error."""
        import pyarrow as pa

        from ._columns import uint8_array, validity

        valid = validity(uint8_array(self.codes)).buffers()[1] if self.has_errors else None
        buffers = [valid, pa.py_buffer(self.flat)]
        return pa.Array.from_buffers(pa.binary(self.width), len(self.codes), buffers)

    def rows(self) -> list[bytes | None]:
        """Return the fingerprint of each row, None for a row with an error."""
        flat, width = self.flat, self.width
        keys: list[bytes | None] = [flat[at : at + width] for at in range(0, len(flat), width)]
        if self.has_errors:
            for row in compress(range(len(keys)), self.codes.translate(IS_ERROR)):
                keys[row] = None
        return keys


class Batch(Protocol):
    """Describes a batch whose kind is known. Either `texts` or `chunks` is not None."""

    @property
    def texts(self) -> Sequence[object] | None:
        """Return the rows of a batch that is not in Arrow's memory."""

    @property
    def chunks(self) -> list[Any] | None:
        """Return the arrays of a batch that is in Arrow's memory."""

    def values(self, values: Any) -> Any:
        """Return normal forms, a list for `texts` and arrays for `chunks`, as the kind of the batch."""

    def codes(self, codes: bytes) -> Any:
        """Return a byte a row as the kind of the batch."""

    def keys(self, keys: Keys) -> Any:
        """Return fingerprints as the kind of the batch."""


class ListBatch:
    """A list, a tuple, or anything that can be iterated, which comes back as a list."""

    chunks = None

    def __init__(self, rows: Sequence[object], is_tuple: bool) -> None:
        self.texts: Sequence[object] | None = rows
        self._make: type[list[Any]] | type[tuple[Any, ...]] = tuple if is_tuple else list

    def values(self, values: Any) -> Any:
        return values if self._make is list else tuple(values)

    def codes(self, codes: bytes) -> Any:
        return codes

    def keys(self, keys: Keys) -> Any:
        return self.values(keys.rows())


class NumpyBatch:
    """An array of one dimension. Normal forms come back as an array of objects, or of StringDType."""

    chunks = None

    def __init__(self, array: Any) -> None:
        if array.ndim != 1 or not (array.dtype.kind in "OUST" or _has_no_value(array)):
            raise BatchError(
                "BAD_INPUT",
                f"an array of {array.ndim} dimensions and {array.dtype} is not a batch: "
                "give one dimension of str, bytes or objects",
            )
        self._kind = array.dtype.kind
        self.texts: Sequence[object] | None = array.tolist()

    def values(self, values: Any) -> Any:
        import numpy as np

        if self._kind == "T":
            return np.array(values, dtype=np.dtypes.StringDType(na_object=None))
        return _objects(values)

    def codes(self, codes: bytes) -> Any:
        import numpy as np

        return np.frombuffer(bytearray(codes), np.uint8)

    def keys(self, keys: Keys) -> Any:
        return _objects(keys.rows())


def _has_no_value(array: Any) -> bool:
    """Say whether all rows are missing: then numpy and pandas have no text to tell the kind of the column by."""
    return array.dtype.kind == "f" and all(map(math.isnan, array))


def _objects(values: list[Any]) -> Any:
    import numpy as np

    array: Any = np.empty(len(values), dtype=object)
    array[:] = values
    return array


class ArrowBatch:
    """An Array or a ChunkedArray of text, of a dictionary of text, or of runs of text.

    Runs are read row by row, and normal forms come back in runs, which are longer where rows became equal.
    """

    texts = None

    def __init__(self, column: Any) -> None:
        import pyarrow as pa

        self._is_chunked = isinstance(column, pa.ChunkedArray)
        chunks = column.chunks if self._is_chunked else [column]
        self._run_ends = None
        self._type = column.type
        if pa.types.is_run_end_encoded(column.type):
            self._run_ends, self._type = column.type.run_end_type, column.type.value_type
            chunks = _without_runs(chunks, column.type)
        self.chunks: list[Any] | None = chunks
        self._lengths = [len(chunk) for chunk in self.chunks or []]

    def _cut(self, array: Any) -> Any:
        """Return an array in chunks as long as those of the batch."""
        import pyarrow as pa

        if not self._is_chunked:
            return array
        pieces, first = [], 0
        for length in self._lengths:
            pieces.append(array.slice(first, length))
            first += length
        return pa.chunked_array(pieces, array.type)

    def values(self, values: Any) -> Any:
        from ._chunks import chunked

        made = chunked(values, self._type) if self._is_chunked else values[0]
        if self._run_ends is None:
            return made
        import pyarrow.compute as pc

        return pc.run_end_encode(made, run_end_type=self._run_ends)

    def codes(self, codes: bytes) -> Any:
        from ._columns import uint8_array

        return self._cut(uint8_array(codes))

    def keys(self, keys: Keys) -> Any:
        return self._cut(keys.array())


def _without_runs(chunks: list[Any], kind: Any) -> list[Any]:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        return [pc.run_end_decode(chunk) for chunk in chunks]
    except pa.ArrowNotImplementedError as error:
        message = f"a column of {kind} cannot be read by rows: cast it to string"
        raise BatchError("BAD_COLUMN", message) from error


class PandasBatch:
    """A Series. Results have its index; normal forms have its name and type, too.

    Fingerprints of a Series in Arrow's memory are fixed-size binary of Arrow; those of other Series are objects.
    A Series of numbers whose rows are all missing, as a chunk of a file that is read in parts, gives objects.
    """

    def __init__(self, series: Any) -> None:
        self._series = series
        self.texts: Sequence[object] | None = None
        self.chunks: list[Any] | None = None
        if _is_arrow_backed(series.dtype) or _is_dictionary(series):
            self.chunks = _arrow_chunks(series)
        elif series.dtype == object or series.dtype in ("category", "string", "str"):
            self.texts = series.tolist()
        elif series.isna().all():
            self._series = series.astype(object)
            self.texts = [None] * len(series)
        else:
            raise BatchError(
                "BAD_COLUMN", f"a Series of {series.dtype} is not text: cast it to string"
            )

    def _series_of(self, values: Any, dtype: Any, name: object) -> Any:
        return type(self._series)(values, index=self._series.index, dtype=dtype, name=name)

    def values(self, values: Any) -> Any:
        series, dtype = self._series, self._series.dtype
        if self.chunks is not None:
            from ._chunks import chunked

            column = chunked(values, self.chunks[0].type)
            values = _categorical(column) if dtype == "category" else dtype.__from_arrow__(column)
            dtype = values.dtype if dtype == "category" else dtype
            return self._series_of(values, dtype, series.name)
        if dtype == "category":
            return self._series_of(values, object, series.name).astype("category")
        return self._series_of(values, dtype, series.name)

    def codes(self, codes: bytes) -> Any:
        import numpy as np

        return self._series_of(np.frombuffer(bytearray(codes), np.uint8), "uint8", "status")

    def keys(self, keys: Keys) -> Any:
        if self.chunks is None:
            return self._series_of(_objects(keys.rows()), object, self._series.name)
        import pandas as pd

        array = keys.array()
        values = pd.arrays.ArrowExtensionArray(array)
        return self._series_of(values, values.dtype, self._series.name)


def _is_arrow_backed(dtype: Any) -> bool:
    storage = getattr(dtype, "storage", None)
    return storage == "pyarrow" or hasattr(dtype, "pyarrow_dtype")


def _is_dictionary(series: Any) -> bool:
    """Say whether a Series has categories of text, which pyarrow takes as a dictionary."""
    if series.dtype != "category" or series.cat.categories.inferred_type != "string":
        return False
    return find_spec("pyarrow") is not None


def _categorical(column: Any) -> Any:
    """Return a column of a dictionary as a Categorical of pandas."""
    import pandas as pd

    array = column.combine_chunks()
    codes = array.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return pd.Categorical.from_codes(codes, categories=array.dictionary.to_pylist())


def _arrow_chunks(series: Any) -> list[Any]:
    import pyarrow as pa

    column = pa.array(series, from_pandas=True)
    chunks: list[Any] = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return chunks or [pa.array([], column.type)]


class PolarsBatch:
    """A Series of String, Binary, Categorical or Enum, which comes back with its name.

    Enum comes back as Categorical: normal forms need not be among its values.
    """

    texts = None

    def __init__(self, series: Any) -> None:
        self._name = series.name
        with needing_pyarrow("polars"):
            self.chunks: list[Any] | None = [series.to_arrow()]

    def _series_of(self, array: Any, name: str) -> Any:
        import polars as pl

        return pl.Series(name, array)

    def values(self, values: Any) -> Any:
        return self._series_of(values[0], self._name)

    def codes(self, codes: bytes) -> Any:
        from ._columns import uint8_array

        return self._series_of(uint8_array(codes), "status")

    def keys(self, keys: Keys) -> Any:
        return self._series_of(keys.array(), self._name)


def read_batch(batch: Any) -> Batch:
    """Tell what kind a batch is. Raise `BAD_INPUT` for anything that is not a batch of URLs."""
    if isinstance(batch, (list, tuple)):
        return ListBatch(batch, isinstance(batch, tuple))
    if is_instance(batch, "pyarrow", "Array", "ChunkedArray"):
        return ArrowBatch(batch)
    if is_instance(batch, "pandas", "Series"):
        return PandasBatch(batch)
    if is_instance(batch, "polars", "Series"):
        return PolarsBatch(batch)
    if is_instance(batch, "numpy", "ndarray"):
        return NumpyBatch(batch)
    if isinstance(batch, (str, bytes)):
        raise BatchError(
            "BAD_INPUT",
            "the batch is one URL: put it into a list, as in normalize_batch([url]), "
            "or call normalize(url)",
        )
    if is_instance(batch, "pandas", "DataFrame") or is_instance(
        batch, "polars", "DataFrame", "LazyFrame"
    ):
        raise BatchError("BAD_INPUT", "the batch is a frame: give its column of URLs alone")
    if isinstance(batch, Iterable) and not isinstance(batch, (Mapping, bytearray, memoryview)):
        return ListBatch(list(batch), False)
    raise BatchError(
        "BAD_INPUT",
        f"the batch is {type(batch).__name__}: give a list or another iterable of str and bytes, "
        "or an array of numpy, pandas, polars or pyarrow",
    )


def is_instance(value: object, module: str, *classes: str) -> bool:
    """Say whether a value is of one of these classes.

    Imports no module: one that is not imported has no instances. Another thread may be in the middle of the import; a
    class that is not there yet has no instances either.
    """
    loaded = sys.modules.get(module)
    return any(isinstance(value, getattr(loaded, name, ())) for name in classes)


def dense_texts(rows: Sequence[object]) -> tuple[list[Text], list[int] | None]:
    """Return the rows that are text, and their numbers; None for the numbers where all rows are."""
    kinds = set(map(type, rows))
    if kinds <= {str, bytes}:
        return list(rows), None  # type: ignore[arg-type]
    places = [row for row, text in enumerate(rows) if isinstance(text, (str, bytes))]
    texts: list[Text] = [_exact(rows[row]) for row in places]
    return texts, places if len(places) < len(rows) else None


def _exact(text: object) -> Text:
    """Return an instance of a subclass of str or bytes as plain str or bytes, so that results are plain, too."""
    return str.__str__(text) if isinstance(text, str) else bytes(text)  # type: ignore[call-overload]
