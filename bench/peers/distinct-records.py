"""Keeps one record of each URL by DuckDB: python distinct-records.py FORMAT LIST OUT; two threads.

Without FORMAT it prints DuckDB's version."""

import sys

import duckdb

READ = {
    "jsonl": "read_json('{}', format='newline_delimited')",
    "csv": "read_csv('{}')",
    "tsv": "read_csv('{}', delim='\t')",
}
WRITE = {"jsonl": "FORMAT json", "csv": "FORMAT csv", "tsv": "FORMAT csv, DELIMITER '\t'"}

if len(sys.argv) == 1:
    print(duckdb.__version__)
else:
    name, source, target = sys.argv[1:]
    connection = duckdb.connect(":memory:", config={"threads": 2})
    connection.execute(
        f"COPY (SELECT DISTINCT ON (url) * FROM {READ[name].format(source)}) TO '{target}' ({WRITE[name]})"
    )
