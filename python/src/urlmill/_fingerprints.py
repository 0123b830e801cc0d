"""Fingerprints of normalized URLs."""

from collections.abc import Iterator
from typing import Any

from ._batches import ArrowBatch, Batch, Keys, dense_texts
from ._errors import OptionError
from ._kernel import KEY_BYTES, Kernel
from ._status import Status
from ._texts import Window, text_windows

FINGERPRINT_BYTES = 16
"""Bytes of a fingerprint of 128 bits."""


def check_fingerprint_options(key: object, bits: object) -> None:
    """Raise `BAD_OPTION` for a key that is not 16 bytes, and other bits than 128 or 64."""
    if not isinstance(key, (bytes, bytearray, memoryview)) or len(key) != KEY_BYTES:
        raise OptionError("BAD_OPTION", f"key: must be {KEY_BYTES} bytes")
    if bits not in (128, 64):
        raise OptionError("BAD_OPTION", "bits: must be 128 or 64")


def batch_windows(kernel: Kernel, rows: Batch) -> "tuple[Iterator[Window], list[int] | None, int]":
    """Return the windows of those rows that are text, their numbers (None for all), and how many rows there are."""
    if rows.chunks is None:
        given = rows.texts or ()
        texts, places = dense_texts(given)
        return text_windows(kernel, texts), places, len(given)
    import pyarrow.compute as pc

    from ._chunks import plain_text
    from ._columns import column_windows

    columns = [plain_text(chunk) for chunk in rows.chunks]
    total = sum(map(len, columns))
    places = None
    if any(column.null_count > 0 for column in columns):
        places, first = [], 0
        for at, column in enumerate(columns):
            found = pc.indices_nonzero(column.is_valid()).to_pylist()
            places += [first + row for row in found]
            first += len(column)
            columns[at] = column.drop_null()

    def windows() -> Iterator[Window]:
        first = 0
        for column in columns:
            for window in column_windows(kernel, column):
                yield window._replace(first=first + window.first)
            first += len(column)

    return windows(), places, total


def fingerprint_rows(
    kernel: Kernel, rows: Batch, key: bytes, bits: int, texts: bool = False
) -> Keys:
    """Return a fingerprint and a status byte a row. Each value of a dictionary is fingerprinted once.

    With `texts`, a row that is not a URL has the fingerprint of its text, and counts as unchanged. A row that is too
    long for the kernel has none.
    """
    if rows.chunks and _is_dictionary(rows.chunks[0]):
        return _fingerprint_dictionaries(kernel, rows.chunks, key, bits, texts)
    windows, places, total = batch_windows(kernel, rows)
    flat, codes = bytearray(), bytearray()
    for _, count, ending in windows:
        if ending < 0:
            flat += bytes(FINGERPRINT_BYTES)
            codes.append(Status.TOO_LONG)
            continue
        codes += bytes(count) if texts else kernel.status(count)
        # `reserve` voids the key, and a window may have called it.
        kernel.write_key(key)
        flat += kernel.fingerprint(count, ending, texts)
    if bits == 64:
        flat = bytearray(memoryview(flat).cast("Q")[::2].tobytes())
    width = bits >> 3
    if places is not None:
        flat, codes = _spread_rows(places, flat, width, total), spread(places, codes, total)
    return Keys(bytes(flat), width, bytes(codes))


def fingerprint_urls(kernel: Kernel, rows: Batch, key: bytes) -> tuple[bytes, bytes]:
    """Return fingerprints of 128 bits of those rows that are URLs, and a status byte a row."""
    windows, places, total = batch_windows(kernel, rows)
    flat, codes = bytearray(), bytearray()
    for _, count, ending in windows:
        if ending < 0:
            codes.append(Status.TOO_LONG)
            continue
        codes += kernel.status(count)
        # `reserve` voids the key, and a window may have called it.
        kernel.write_key(key)
        flat += kernel.fingerprint_urls(count, ending)
    return bytes(flat), bytes(codes if places is None else spread(places, codes, total))


def _is_dictionary(chunk: Any) -> bool:
    from pyarrow import types

    return bool(types.is_dictionary(chunk.type))


def _fingerprint_dictionaries(
    kernel: Kernel, chunks: list[Any], key: bytes, bits: int, texts: bool
) -> Keys:
    """Do the same for arrays of a dictionary type, which may share a dictionary."""
    import pyarrow as pa

    from ._columns import uint8_array

    width, total = bits >> 3, sum(map(len, chunks))
    dictionary: Any = None
    flat, codes = bytearray(), bytearray()
    for chunk in chunks:
        if len(chunk.dictionary) > total:
            # The rows are a part of a longer column, and most values are not among them.
            keys = fingerprint_rows(kernel, ArrowBatch(chunk.dictionary_decode()), key, bits, texts)
            flat += keys.flat
            codes += keys.codes
            continue
        if dictionary is None or not chunk.dictionary.equals(dictionary):
            dictionary = chunk.dictionary
            keys = fingerprint_rows(kernel, ArrowBatch(dictionary), key, bits, texts)
            # The last value is that of a null.
            value_codes = uint8_array(keys.codes + bytes([Status.NOT_A_STRING]))
            values = pa.Array.from_buffers(
                pa.binary(width),
                len(value_codes),
                [None, pa.py_buffer(keys.flat + bytes(width))],
            )
        places = chunk.indices.cast(pa.int64()).fill_null(len(dictionary))
        flat += memoryview(values.take(places).buffers()[1])[: width * len(chunk)]
        codes += memoryview(value_codes.take(places).buffers()[1])[: len(chunk)]
    return Keys(bytes(flat), width, bytes(codes))


def spread(places: list[int], codes: bytes | bytearray, total: int) -> bytearray:
    """Return `total` status bytes: these at their places, `NOT_A_STRING` elsewhere."""
    rows = bytearray([Status.NOT_A_STRING]) * total
    for place, code in zip(places, codes, strict=True):
        rows[place] = code
    return rows


def _spread_rows(places: list[int], flat: bytearray, width: int, total: int) -> bytearray:
    rows = bytearray(width * total)
    for at, place in enumerate(places):
        rows[width * place : width * (place + 1)] = flat[width * at : width * (at + 1)]
    return rows
