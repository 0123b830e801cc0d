"""Writes the distinct lines of a file, each once, by a database: python distinct.py PEER LIST OUT; two threads.

Without LIST it prints the peer's version."""

import os
import sys

THREADS = 2


def duckdb(source, target):
    import duckdb

    if source is None:
        return duckdb.__version__
    connection = duckdb.connect(":memory:", config={"threads": THREADS})
    connection.execute(
        f"""COPY (SELECT DISTINCT u FROM read_csv('{source}', header=false, columns={{'u': 'VARCHAR'}},
            delim='\x01', quote='', escape='', auto_detect=false))
            TO '{target}' (FORMAT csv, header false, quote '', delimiter '\x01')"""
    )


def polars(source, target):
    os.environ["POLARS_MAX_THREADS"] = str(THREADS)
    import polars

    if source is None:
        return polars.__version__
    lines = polars.scan_csv(
        source, has_header=False, separator="\x01", quote_char=None, new_columns=["u"]
    )
    lines.unique().sink_csv(target, include_header=False, separator="\x01", quote_style="never")


def chdb(source, target):
    import chdb

    if source is None:
        return chdb.query("SELECT version()").bytes().decode().strip().strip('"')
    if os.path.exists(target):
        os.remove(target)
    chdb.query(
        f"""SELECT DISTINCT line FROM file('{source}', LineAsString, 'line String')
            INTO OUTFILE '{target}' FORMAT TSVRaw SETTINGS max_threads={THREADS}"""
    )


peer, source, target = (sys.argv[1:] + [None, None])[:3]
found = {"duckdb": duckdb, "polars": polars, "chdb": chdb}[peer](source, target)
if source is None:
    print(found)
