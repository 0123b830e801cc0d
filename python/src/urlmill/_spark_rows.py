"""Keys of whole rows of Spark: what `dedupe` compares where a row has no URL."""

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ._spark_names import quoted

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def row_key(df: "DataFrame", key: bytes) -> "Column | None":
    """Return the key of a whole row, 16 bytes; None for a table whose rows cannot be compared.

    It is a hash of all columns under a key that is made of `key`. Rows are equal if all their values are, in the order
    of the columns. Maps, variants, types of users, and names that differ in case alone cannot be compared.
    """
    from pyspark.sql import functions as f

    if not _is_comparable(df.schema):
        return None
    cells = [_cell(f.col(quoted(field.name)), field.dataType) for field in df.schema.fields]
    # The key itself would be readable in the plan of the query.
    salt = sha256(b"urlmill rows " + key).hexdigest()
    hashed = f.sha2(f.concat_ws(",", f.lit(salt), *cells), 256)
    return f.unhex(f.substring(hashed, 1, 32))


def _is_comparable(kind: Any) -> bool:
    from pyspark.sql import types as t

    if isinstance(kind, t.ArrayType):
        return _is_comparable(kind.elementType)
    if isinstance(kind, t.StructType):
        # Spark does not tell two fields apart whose names differ in upper and lower case alone.
        names = {name.lower() for name in kind.names}
        is_named = len(names) == len(kind.names)
        return is_named and all(_is_comparable(field.dataType) for field in kind.fields)
    plain = (
        t.StringType,
        t.VarcharType,
        t.CharType,
        t.BinaryType,
        t.BooleanType,
        t.NumericType,
        t.DateType,
        t.TimestampType,
        t.TimestampNTZType,
        t.DayTimeIntervalType,
        t.YearMonthIntervalType,
        t.NullType,
    )
    return isinstance(kind, plain)


def _cell(value: "Column", kind: Any) -> "Column":
    """Return a value as text without commas, so that other values of this type give other texts."""
    from pyspark.sql import functions as f

    return f.coalesce(f.concat(f.lit("="), f.hex(_text(value, kind))), f.lit("null"))


def _text(value: "Column", kind: Any) -> "Column":
    """Return a value as text or bytes; null for null."""
    from pyspark.sql import functions as f
    from pyspark.sql import types as t

    if isinstance(kind, t.ArrayType):
        return f.array_join(f.transform(value, lambda item: _cell(item, kind.elementType)), ",")
    if isinstance(kind, t.StructType):
        cells = [_cell(value.getField(field.name), field.dataType) for field in kind.fields]
        return f.when(value.isNotNull(), f.concat_ws(",", *cells))
    if isinstance(kind, (t.StringType, t.VarcharType, t.CharType, t.BinaryType)):
        return value
    if isinstance(kind, t.TimestampType):
        # As text, an hour would come twice when clocks are set back.
        return f.unix_micros(value).cast("string")
    return value.cast("string")
