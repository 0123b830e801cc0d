"""Arrow arrays of every type of text, on the columns that the kernel takes."""

from functools import cache
from typing import Any

from ._columns import large_type, normalize_column, uint8_array
from ._errors import BatchError
from ._kernel import WINDOW_BYTES, Kernel
from ._lists import normalize_list
from ._status import Status

_FEW = 96
"""Rows up to which a list takes less time than some columns do: see `_is_sooner_a_list`."""


def plain_text(array: Any) -> Any:
    """Return an array as (large) string or binary. Raise `BAD_COLUMN` for one that is not text."""
    import pyarrow as pa

    types, kind = pa.types, array.type
    if _is_plain(kind):
        return array
    if types.is_dictionary(kind):
        return plain_text(array.dictionary_decode())
    if types.is_null(kind):
        return array.cast(pa.string())
    if _is_view(kind, "string"):
        return array.cast(pa.large_string())
    if _is_view(kind, "binary"):
        return array.cast(pa.large_binary())
    raise BatchError("BAD_COLUMN", f"a column of {kind} is not text: cast it to string")


def as_bytes(array: Any) -> Any:
    """Return an array of text as large binary: text of Arrow need not be UTF-8, and then Python cannot read it."""
    import pyarrow as pa

    return plain_text(array).cast(pa.large_binary())


def _is_plain(kind: Any) -> bool:
    return kind.id in _plain_ids()


@cache
def _plain_ids() -> frozenset[int]:
    import pyarrow as pa

    return frozenset(
        kind.id for kind in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary())
    )


def _is_view(kind: Any, name: str) -> bool:
    from pyarrow import types

    test = getattr(types, f"is_{name}_view", None)  # since pyarrow 16
    return test is not None and bool(test(kind))


class ChunkNormalizer:
    """Normalizes the chunks of one column, which may share a dictionary."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._dictionary: Any = None
        self._normalized: tuple[Any, Any, Any] | None = None

    def normalize(self, array: Any) -> tuple[Any, Any]:
        """Return an array of the same type, or of its large type if it passes 2 GiB, and its status as UInt8Array."""
        import pyarrow as pa

        if _is_plain(array.type):
            few = _normalize_few(self._kernel, array) if _is_sooner_a_list(array) else None
            return few or normalize_column(self._kernel, array)
        if pa.types.is_null(array.type):
            return array, uint8_array(bytes([Status.NOT_A_STRING]) * len(array))
        if pa.types.is_dictionary(array.type):
            return self._normalize_dictionary(array)
        values, status = normalize_column(self._kernel, plain_text(array))
        return _as_type(values, array.type), status

    def _normalize_dictionary(self, array: Any) -> tuple[Any, Any]:
        """Normalize each value of the dictionary once. Values that are equal then become one."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if self._normalized is None or not array.dictionary.equals(self._dictionary):
            values, status = normalize_column(self._kernel, plain_text(array.dictionary))
            values = _as_type(values, array.type.value_type)
            encoded = values.dictionary_encode()
            places = encoded.indices.cast(array.type.index_type)
            self._dictionary = array.dictionary
            self._normalized = encoded.dictionary, places, status
        dictionary, places, status = self._normalized
        indices = array.indices
        codes = pc.fill_null(status.take(indices), pa.scalar(Status.NOT_A_STRING, pa.uint8()))
        return (
            pa.DictionaryArray.from_arrays(
                places.take(indices), dictionary, ordered=array.type.ordered
            ),
            codes,
        )


def _is_sooner_a_list(array: Any) -> bool:
    """Say whether a list takes less time: for few rows with nulls or long offsets, which take functions of Arrow.

    With nulls, Arrow's way takes 2.7 times the processor time with 1 row, 1.6 with 16, 1.05 with 96 and 0.97 with 128;
    with long offsets 1.5 to 1.7 up to 128. Other columns take less as they are.
    """
    from pyarrow import types

    if len(array) > _FEW:
        return False
    kind = array.type
    has_nulls: bool = array.null_count > 0
    return bool(types.is_large_string(kind) or (has_nulls and types.is_string(kind)))


def _normalize_few(kernel: Kernel, array: Any) -> tuple[Any, Any] | None:
    """Do what `normalize_column` does by way of a list. Return None for bytes that are not UTF-8, or are many."""
    import pyarrow as pa

    if array.nbytes > WINDOW_BYTES:
        return None
    try:
        rows = array.to_pylist()
    except UnicodeDecodeError:
        return None
    values, codes = normalize_list(kernel, rows)
    return pa.array(values, array.type), uint8_array(codes)


def _as_type(values: Any, kind: Any) -> Any:
    """Return normal forms as a type of text. Those that outgrew the type stay large."""
    outgrown = values.type != kind and values.type == _large(kind)
    return values if values.type == kind or outgrown else values.cast(kind)


def _large(kind: Any) -> Any:
    """Return the type with offsets of 64 bits that normal forms of this type have when they outgrow it."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _large(kind.value_type), kind.ordered)
    return large_type(kind) if _is_plain(kind) else kind


def chunked(arrays: list[Any], kind: Any) -> Any:
    """Return arrays as one column of a type; of its large type if one of them outgrew it."""
    import pyarrow as pa

    used = kind if all(array.type == kind for array in arrays) else _large(kind)
    return pa.chunked_array([array.cast(used) for array in arrays], used)


def status_bytes(arrays: list[Any]) -> bytes:
    """Return the bytes of UInt8Arrays."""
    pieces = []
    for array in arrays:
        if len(array) > 0:
            buffer = memoryview(array.buffers()[1])
            pieces.append(buffer[array.offset : array.offset + len(array)])
    return b"".join(pieces)
