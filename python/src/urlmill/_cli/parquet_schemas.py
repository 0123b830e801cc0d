"""Schemas of files of Parquet: what pyarrow would change of them, and those that other programs keep in metadata."""

import io
import json
import re
from base64 import b64decode
from typing import Any

from .._errors import OptionError
from .hand_over import Unsupported
from .records import NORMALIZED, added_twice

_VERSIONS = ("2.6", "2.4", "1.0")
"""Versions of the format. In older ones some types are stored as others."""
_PLAIN = re.compile(r"Int\(bitWidth=(32|64), isSigned=true\)")
"""Numbers that are what they are without this type."""
_ADDED = NORMALIZED.decode()
_FIELDS: dict[bytes, dict[str, Any]] = {
    b"org.apache.spark.sql.parquet.row.metadata": {
        "name": _ADDED,
        "type": "string",
        "nullable": True,
        "metadata": {},
    },
    b"parquet.avro.schema": {"name": _ADDED, "type": ["null", "string"], "default": None},
}


def writer_options(source: Any, file: str) -> dict[str, Any]:
    """Return how pyarrow writes the types that a file has. Raise `Unsupported` for a type that it does not write."""
    import pyarrow.parquet as pq

    wanted = [_type_of(source.schema.column(at)) for at in range(len(source.schema))]
    differing: list[Any] = []
    for version in _VERSIONS:
        sink = io.BytesIO()
        pq.ParquetWriter(sink, source.schema_arrow, version=version).close()
        schema = pq.read_metadata(sink).schema
        found = [_type_of(schema.column(at)) for at in range(len(schema))]
        others = [at for at, each in enumerate(wanted) if each not in (found[at], None)]
        if not others:
            metadata = source.metadata.metadata or {}
            _check_dates(metadata.get(b"ARROW:schema"), file)
            return {"version": version, "store_schema": b"ARROW:schema" in metadata}
        differing = differing or others
    column = source.schema.column(differing[0])
    raise Unsupported(f"type {_type_of(column)}, which column {column.path} of {file} has")


def _check_dates(stored: bytes | None, file: str) -> None:
    """Raise `Unsupported` for dates of 64 bits in Arrow's own schema: pyarrow reads them as those of 32."""
    import pyarrow as pa

    if stored is None:
        return
    for field in pa.ipc.read_schema(pa.py_buffer(b64decode(stored))):
        if _has_date64(field.type):
            raise Unsupported(f"type date64, which column {field.name} of {file} has")


def _has_date64(kind: Any) -> bool:
    import pyarrow as pa

    parts = range(kind.num_fields)
    return pa.types.is_date64(kind) or any(_has_date64(kind.field(at).type) for at in parts)


def check_int96(source: Any, file: str) -> None:
    """Raise `Unsupported` for timestamps of 96 bits that nanoseconds in 64 do not reach: pyarrow reads other years."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = map(source.schema.column, range(len(source.schema)))
    names = [column.path for column in columns if column.physical_type == "INT96"]
    if not names:
        return
    with pq.ParquetFile(file, coerce_int96_timestamp_unit="us") as other:
        batches = (each.iter_batches(columns=names) for each in (source, other))
        for nanos, micros in zip(*batches, strict=True):
            try:
                micros.cast(nanos.schema)
            except pa.ArrowInvalid as error:
                what = "a timestamp before 1678 or after 2261 in 96 bits"
                raise Unsupported(f"{what}, which {file} has") from error


def _type_of(column: Any) -> str | None:
    """Return what the values of a column mean; None for timestamps of 96 bits, which are written in 64."""
    if column.physical_type == "INT96":
        return None
    kind = re.sub(r", is_from_converted_type=.*\)", ")", str(column.logical_type))
    return "None" if _PLAIN.fullmatch(kind) else kind


class Alike:
    """Checks that files have the columns of the first: one output has one kind."""

    def __init__(self) -> None:
        self._first: tuple[str, str, Any] | None = None

    def check(self, source: Any, file: str) -> None:
        """Raise `OptionError` for a file with other columns or types, and `Unsupported` if only pyarrow sees others."""
        # The text has all that Parquet says of columns, after lines of the object and of the root, which writers name.
        columns = str(source.schema).split("\n", 2)[2]
        first = self._first = self._first or (file, columns, source.schema_arrow)
        if columns != first[1]:
            raise OptionError(
                "BAD_OPTION",
                f"{file} and {first[0]} have other columns or types, and one output has one kind; run them one by one",
            )
        if not source.schema_arrow.equals(first[2]):
            raise Unsupported(
                f"output for {file} and {first[0]}, which have other types for pyarrow"
            )


def check_added(schema: Any, file: str) -> None:
    """Raise `OptionError` if a file has the column that `--emit both` adds."""
    if _ADDED in schema.names:
        raise added_twice("column", file)


def with_added(schema: Any) -> Any:
    """Return a schema whose metadata describe the column of keys, too: Spark and Avro prefer their own schemas."""
    metadata = schema.metadata or {}
    return schema.with_metadata(
        {key: _with_field(text, _FIELDS.get(key)) for key, text in metadata.items()}
    )


def _with_field(text: bytes, field: dict[str, Any] | None) -> bytes:
    """Add a field to a schema in JSON that ends with its list of fields; another text stays."""
    end = re.search(rb"\]\s*\}\s*$", text)
    if field is None or end is None:
        return text
    try:
        keys = list(json.loads(text))
    except ValueError:
        return text
    added = b"," + json.dumps(field).encode()
    return text[: end.start()] + added + text[end.start() :] if keys[-1:] == ["fields"] else text
