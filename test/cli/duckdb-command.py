"""Takes the place of DuckDB's command line: `[-csv] -c STATEMENT`."""

import csv
import sys

import duckdb

*flags, _, statement = sys.argv[1:]
answer = duckdb.execute(statement)
if "-csv" in flags:
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(column[0] for column in answer.description)
    out.writerows(answer.fetchall())
