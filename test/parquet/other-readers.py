"""Makes Parquet files with pyarrow, and compares what comes of them as pyarrow and DuckDB read it."""

import datetime
import decimal
import json
import sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

TYPES = {"string": pa.string(), "integer": pa.int32(), "short": pa.int16(), "timestamp": pa.timestamp("ms")}


def value(field, row):
    if field["nullable"] and row % 5 == 0:
        return None
    if field["type"] == "string":
        return f"{field['name']} {row % 40}"
    if field["type"] == "timestamp":
        return datetime.datetime(2026, 1, 1) + datetime.timedelta(milliseconds=row)
    return row


def make(schema, urls, folder):
    urls = json.load(open(urls))
    rows = range(len(urls))
    columns = [
        (
            pa.field(field["name"], TYPES[field["type"]], field["nullable"]),
            pa.array(urls if field["name"] == "url" else [value(field, row) for row in rows], TYPES[field["type"]]),
        )
        for field in json.load(open(schema))["fields"]
    ]
    more = {
        "nanos": pa.array([1700000000000000001 + row for row in rows], pa.timestamp("ns", tz="UTC")),
        "unsigned": pa.array([2**63 + row for row in rows], pa.uint64()),
        "small": pa.array([row % 200 for row in rows], pa.uint8()),
        "half": pa.array([float(row % 100) for row in rows], pa.float32()).cast(pa.float16()),
        "single": pa.array([None if row % 9 == 0 else row / 3 for row in rows], pa.float32()),
        "flag": pa.array([None if row % 11 == 0 else row % 2 == 0 for row in rows]),
        "amount": pa.array([decimal.Decimal(row - 500) / 100 for row in rows], pa.decimal128(20, 2)),
        "bytes": pa.array([bytes([row % 256, 255]) for row in rows], pa.binary(2)),
        "lists": pa.array(
            [None if row % 6 == 0 else [[str(row)] * (row % 3), None] * (row % 2) for row in rows],
            pa.list_(pa.list_(pa.string())),
        ),
        "struct": pa.array(
            [None if row % 8 == 0 else {"a": row if row % 3 else None, "b": [row]} for row in rows],
            pa.struct([("a", pa.int32()), ("b", pa.list_(pa.int64()))]),
        ),
        "map": pa.array([[(f"k{at}", at) for at in range(row % 3)] for row in rows], pa.map_(pa.string(), pa.int64())),
    }
    columns += [(pa.field(name, array.type), array) for name, array in more.items()]
    table = pa.Table.from_arrays([array for _, array in columns], schema=pa.schema([field for field, _ in columns]))
    delta = {"url": "DELTA_BYTE_ARRAY", "crawl": "DELTA_LENGTH_BYTE_ARRAY", "fetch_status": "DELTA_BINARY_PACKED"}
    written = {
        "snappy": {},
        "gzip-pages-2": {"compression": "gzip", "data_page_version": "2.0", "data_page_size": 4096},
        "zstd": {"compression": "zstd", "write_page_index": True},
        "brotli": {"compression": "brotli"},
        "lz4": {"compression": "lz4"},
        "plain": {"compression": "none", "use_dictionary": False},
        "int96": {"use_deprecated_int96_timestamps": True},
        "delta": {"use_dictionary": False, "column_encoding": {**delta, "single": "BYTE_STREAM_SPLIT"}},
    }
    for name, options in written.items():
        file = f"{folder}/{name}.parquet"
        pq.write_table(table, file, row_group_size=700, **options)
        print(file)


def compare(before, after, first):
    expected = pq.read_table(before).take(json.load(open(first)))
    found = pq.read_table(after)
    schema, same = pq.ParquetFile(after).schema, pq.ParquetFile(before).schema
    if not schema.equals(same):
        return f"the schema is {schema}, not {same}"
    if not found.schema.equals(expected.schema, check_metadata=True):
        return f"the schema of Arrow is {found.schema}"
    for name in expected.column_names:
        if not found[name].equals(expected[name]):
            return f"column {name} differs"
    describe = [duckdb.sql(f"DESCRIBE SELECT * FROM read_parquet('{file}')").fetchall() for file in (before, after)]
    if describe[0] != describe[1]:
        return f"DuckDB reads the types {describe[1]}"
    # A filter makes DuckDB use the bounds of row groups.
    for column in ("unsigned", "small", "amount", "crawl", "fetch_status"):
        some = expected[column].drop_null()[7].as_py()
        query = f"SELECT count(*) FROM read_parquet('{after}') WHERE {column} = ?"
        count = duckdb.execute(query, [some]).fetchall()[0][0]
        wanted = expected[column].to_pylist().count(some)
        if count != wanted:
            return f"DuckDB finds {count} rows of {column} = {some}, not {wanted}"
    return "equal"


if sys.argv[1] == "make":
    make(*sys.argv[2:])
elif sys.argv[1] == "compare":
    for file in sys.argv[3:]:
        print(f"{file}: {compare(file, f'{file}.out', sys.argv[2])}")
