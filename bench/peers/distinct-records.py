"""Keeps one record of each URL: python distinct-records.py PEER FORMAT LIST OUT; two threads where a peer has them.

Without FORMAT it prints the peer's version. `duckdb snappy.parquet CSV OUT --write` writes a CSV file as Parquet."""

import os
import sys

THREADS = 2


def duckdb(name, source, target):
    import duckdb

    if name is None:
        return duckdb.__version__
    connection = duckdb.connect(":memory:", config={"threads": THREADS})
    codec, _, kind = name.rpartition(".")
    read = {
        "jsonl": f"read_json('{source}', format='newline_delimited')",
        "csv": f"read_csv('{source}')",
        "tsv": f"read_csv('{source}', delim='\t', quote='')",
        "cdx": f"read_csv('{source}', delim=' ', header=false, quote='')",
        "parquet": f"read_parquet('{source}')",
    }[kind]
    write = {
        "jsonl": "FORMAT json",
        "csv": "FORMAT csv",
        "tsv": "FORMAT csv, DELIMITER '\t', QUOTE ''",
        "cdx": "FORMAT csv, DELIMITER ' ', HEADER false, QUOTE ''",
        "parquet": f"FORMAT parquet, COMPRESSION {codec}",
    }[kind]
    rows = f"SELECT DISTINCT ON ({'column02' if kind == 'cdx' else 'url'}) * FROM {read}"
    if "--write" in sys.argv:
        rows = f"SELECT * FROM read_csv('{source}')"
    connection.execute(f"COPY ({rows}) TO '{target}' ({write})")


def polars(name, source, target):
    os.environ["POLARS_MAX_THREADS"] = str(THREADS)
    import polars

    if name is None:
        return polars.__version__
    codec, _, kind = name.rpartition(".")
    scan = {
        "jsonl": polars.scan_ndjson,
        "csv": polars.scan_csv,
        "tsv": lambda file: polars.scan_csv(file, separator="\t", quote_char=None),
        "cdx": lambda file: polars.scan_csv(
            file, separator=" ", has_header=False, quote_char=None
        ),
        "parquet": polars.scan_parquet,
    }[kind](source)
    url = scan.collect_schema().names()[2] if kind == "cdx" else "url"
    rows = scan.unique(url, keep="any")
    {
        "jsonl": rows.sink_ndjson,
        "csv": rows.sink_csv,
        "tsv": lambda file: rows.sink_csv(file, separator="\t", quote_style="never"),
        "cdx": lambda file: rows.sink_csv(
            file, separator=" ", include_header=False, quote_style="never"
        ),
        "parquet": lambda file: rows.sink_parquet(file, compression=codec),
    }[kind](target)


def chdb(name, source, target):
    import chdb

    if name is None:
        return chdb.query("SELECT version()").bytes().decode().strip().strip('"')
    if os.path.exists(target):
        os.remove(target)
    codec, _, kind = name.rpartition(".")
    form = {
        "jsonl": "JSONEachRow",
        "csv": "CSVWithNames",
        "tsv": "TSVWithNames",
        "cdx": "CustomSeparated",
        "parquet": "Parquet",
    }[kind]
    settings = f"max_threads={THREADS}"
    table, rows, url, out = f"file('{source}', {form})", "*", "url", form
    if kind == "cdx":
        # ClickHouse quotes what it writes in this form, so it joins the fields itself.
        fields = [f"c{at}" for at in range(1, 12)]
        columns = ", ".join(f"{field} String" for field in fields)
        table, url, out = f"file('{source}', {form}, '{columns}')", "c3", "TSVRaw"
        rows = f"concatWithSeparator(' ', {', '.join(fields)})"
        settings += ", format_custom_field_delimiter=' ', format_custom_escaping_rule='CSV'"
        settings += ", format_csv_allow_double_quotes=0"
    if kind == "parquet":
        settings += f", output_format_parquet_compression_method='{codec}'"
    chdb.query(
        f"SELECT {rows} FROM {table} LIMIT 1 BY {url} "
        f"INTO OUTFILE '{target}' FORMAT {out} SETTINGS {settings}"
    )


def fastwarc(name, source, target):
    import importlib.metadata

    from fastwarc.warc import ArchiveIterator, WarcRecordType

    if name is None:
        return importlib.metadata.version("fastwarc")
    seen = set()
    with open(source, "rb") as file, open(target, "w") as out:
        for record in ArchiveIterator(
            file, record_types=WarcRecordType.response, parse_http=False
        ):
            url = record.headers["WARC-Target-URI"]
            if url not in seen:
                seen.add(url)
                out.write(f"{url}\n")


peer, name, source, target = (sys.argv[1:5] + [None] * 3)[:4]
peers = {"duckdb": duckdb, "polars": polars, "chdb": chdb, "fastwarc": fastwarc}
found = peers[peer](name, source, target)
if name is None:
    print(found)
