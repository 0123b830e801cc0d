"""Values of columns of Parquet by which rows are chosen, as texts that compare as the values do."""

from collections.abc import Callable
from math import isnan
from typing import Any

from .._chunks import as_bytes
from .._errors import OptionError
from .hand_over import Unsupported
from .keep import Keep

_INFINITE = {float("inf"): b"1e999", float("-inf"): b"-1e999"}


def check_url_column(schema: Any, name: str, file: str) -> None:
    """Raise `OptionError` if the schema of a file of Parquet has no such column, or one that holds no text.

    Raise `Unsupported` for one in a struct.
    """
    found = _found(schema, name, file, "--field", _holds_texts)
    if found.max_repetition_level > 0:
        raise _bad(
            f'column "{name}" of {file} is in a list, and a row has one URL; unnest it first'
        )
    if not _holds_texts(found):
        kind = found.physical_type if found.converted_type == "NONE" else found.converted_type
        if str(found.logical_type) == "Null":
            kind = "only nulls"
        raise _bad(
            f'column "{name}" of {file} holds {kind}, and URLs are text; --field names another'
        )
    if found.name != name:
        raise Unsupported(f'reader of {file}, whose column "{name}" is in a struct')


def check_value_column(schema: Any, keep: Keep, file: str) -> None:
    """Raise `OptionError` if the schema of a file of Parquet has no such column, or one without an order here."""
    found = _found(schema, keep.column, file, "--keep", _is_compared)
    if found.max_repetition_level > 0:
        raise _bad(
            f'column "{keep.column}" of {file} is in a list, and a row has one value to compare'
        )
    if not _is_compared(found):
        raise _bad(f'column "{keep.column}" of {file} holds FLOAT16, which is not compared')


def _holds_texts(column: Any) -> bool:
    return bool(column.physical_type == "BYTE_ARRAY" and column.converted_type != "DECIMAL")


def _is_compared(column: Any) -> bool:
    return str(column.logical_type) != "Float16"


def _found(schema: Any, name: str, file: str, flag: str, fits: Callable[[Any], bool]) -> Any:
    """Return the column with this path.

    Raise `OptionError` for none or two: it names those outside of lists that `fits` passes, for `flag`.
    """
    columns = [schema.column(at) for at in range(len(schema))]
    found = [column for column in columns if column.path == name]
    if not found:
        others = [each for each in columns if each.max_repetition_level == 0 and fits(each)]
        names = ", ".join(column.path for column in others)
        way = f"{flag} names one of: {names}" if others else "no other has one text a row"
        raise _bad(f'{file} has no column "{name}"; {way}')
    if len(found) > 1:
        raise _bad(f'{file} has two columns "{name}"; rename one first')
    return found[0]


def values_of(batch: Any, keep: Keep) -> list[bytes]:
    """Return the value of each row, empty for none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    name, column = "", None
    for step in keep.column.split("."):
        name = f"{name}.{step}" if name else step
        names = batch.schema.names if column is None else [each.name for each in column.type]
        if name in names:
            column = batch[name] if column is None else pc.struct_field(column, name)
            name = ""
    assert column is not None
    kind, types = column.type, pa.types
    if types.is_dictionary(kind):
        column, kind = column.dictionary_decode(), kind.value_type
    if isinstance(column, pa.ExtensionArray):
        # As for UUID and JSON.
        column, kind = column.storage, column.storage.type
    if types.is_timestamp(kind) or types.is_time64(kind) or types.is_duration(kind):
        column = column.view(pa.int64())
    elif types.is_date32(kind) or types.is_time32(kind):
        column = column.view(pa.int32())
    elif types.is_date64(kind):
        column = column.cast(pa.date32()).view(pa.int32())
    elif types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        column = as_bytes(column)
    return [b"" if value is None else _text(value) for value in column.to_pylist()]


def _text(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, float):
        # What is not a number is no value.
        return b"" if isnan(value) else _INFINITE.get(value, repr(value).encode())
    if isinstance(value, int):
        return str(value).encode()
    # All decimal numbers of a column have one scale.
    sign, digits, _ = value.as_tuple()
    return (b"-" if sign else b"") + "".join(map(str, digits)).encode()


def _bad(message: str) -> OptionError:
    return OptionError("BAD_OPTION", message)
