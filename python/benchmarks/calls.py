"""Measures calls of each kind in units of the Arrow column's cost a row, CPU time of one interleaved run.

`python benchmarks/calls.py [FILE]`: FILE has one URL a line and may be gzip. Needs pandas, polars, duckdb; measures
can_ada and w3lib where they are installed. Then it measures new processes: what import, a first call and a normalizer
with options take of the processor, above a process that does nothing.
"""

import gzip
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa

import urlmill.polars  # noqa: F401
from urlmill import Normalizer
from urlmill._columns import column_windows
from urlmill._kernel import Kernel
from urlmill.duckdb import register

CORPUS = Path(__file__).parents[2] / "test" / "fixtures" / "urls-50k.txt.gz"
ROUNDS = 9
KEY = bytes(16)
Way = tuple[Callable[[], object], int]


def columns(n: Normalizer, urls: list[str]) -> dict[str, Way]:
    """Return calls for all rows at once."""
    column, series, frame = pa.array(urls), pd.Series(urls), pl.Series(urls)
    rows = len(urls)
    kernel, filled = Kernel(n.plan), Kernel(n.plan)
    window = next(column_windows(filled, column))
    return {
        "column": (lambda: n.normalize_batch(column), rows),
        "column, nothing out": (lambda: list(column_windows(kernel, column)), rows),
        "its kernel alone": (
            lambda: [filled.normalize_column(window.rows) for _ in range(9)],
            9 * window.rows,
        ),
        "keys, Arrow": (lambda: n.fingerprint_batch(column, key=KEY), rows),
        "keys, pandas": (lambda: n.fingerprint_batch(series, key=KEY), rows),
        "keys, Polars": (lambda: n.fingerprint_batch(frame, key=KEY), rows),
        "SURT": (lambda: n.surt_batch(column), rows),
        "pandas": (lambda: n.normalize_batch(series), rows),
        "list": (lambda: n.normalize_batch(urls), rows),
    }


def calls(n: Normalizer, urls: list[str]) -> dict[str, Way]:
    """Return calls for few rows. The time is that of a call, or of a row."""
    column = pa.array(urls)
    short = [column.slice(16 * at, 16) for at in range(200)]
    with_nulls = [pa.array([None, *urls[16 * at : 16 * at + 15]]) for at in range(200)]
    large = [each.cast(pa.large_string()) for each in short]
    long = [column.slice(2048 * at, 2048) for at in range(len(urls) // 2048)]
    some = [url for url in urls[:3000] if n.try_normalize(url)]
    does_nothing = Kernel(n.plan).instance.bound("setReasons", 0)
    ways: dict[str, Way] = {
        "a call of 16 rows": (lambda: [n.normalize_batch(each) for each in short], len(short)),
        "the same, with a null": (lambda: [n.normalize_batch(each) for each in with_nulls], 200),
        "the same, large_string": (lambda: [n.normalize_batch(each) for each in large], 200),
        "2,048 rows, a row": (lambda: [n.normalize_batch(each) for each in long], 2048 * len(long)),
        "a call of nothing": (lambda: [does_nothing() for _ in some], len(some)),
        "one URL": (lambda: [n.normalize(url) for url in some], len(some)),
    }
    return {**ways, **others(some)}


def others(urls: list[str]) -> dict[str, Way]:
    """Return what other packages do with one URL, of those that are installed."""
    ways: dict[str, Way] = {}
    with suppress(ModuleNotFoundError):
        from can_ada import parse

        ways["one URL, can_ada"] = (lambda: [parse(url).href for url in urls], len(urls))
    with suppress(ModuleNotFoundError):
        from w3lib.url import canonicalize_url

        ways["one URL, w3lib"] = (lambda: [canonicalize_url(url) for url in urls], len(urls))
    return ways


def engines(urls: list[str]) -> dict[str, Way]:
    """Return queries of DuckDB and Polars."""
    connection = duckdb.connect()
    connection.sql("SET threads = 1")
    register(connection, "crawl", key=KEY)
    connection.register("given", pa.table({"url": urls * 4}))
    connection.sql("CREATE TABLE pages AS SELECT url FROM given")
    frame, rows = pl.DataFrame({"url": urls * 4}), 4 * len(urls)

    def query(name: str) -> Way:
        return lambda: connection.sql(f"SELECT count({name}(url)) FROM pages").fetchall(), rows

    expression: Any = pl.col("url")
    return {
        "DuckDB, url_normalize": query("url_normalize"),
        "DuckDB, url_key": query("url_key"),
        "Polars, expression": (lambda: frame.select(expression.url.normalize("crawl")), rows),
    }


def measure(ways: dict[str, Way]) -> dict[str, float]:
    """Return the median of nanoseconds of the processor a row, of ways that take turns."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, (run, count) in ways.items():
            begin = time.process_time_ns()
            run()
            times[name].append((time.process_time_ns() - begin) / count)
    return {name: statistics.median(taken) for name, taken in times.items()}


STARTS = {
    "import": "import urlmill",
    "first call": "from urlmill import Normalizer; Normalizer('crawl').normalize('HTTP://A')",
    "with options": "from urlmill import Normalizer; Normalizer('crawl', drop_params=['ref'], www='remove')",
}
"""What new processes run."""


def starts() -> dict[str, float]:
    """Return the median of milliseconds of the processor that a process takes above one that does nothing."""
    times: dict[str, list[float]] = {name: [] for name in STARTS}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    kept = "first call, kernel kept"
    process_ms(STARTS["first call"], environment)
    for _ in range(ROUNDS):
        compiling = {**environment, "URLMILL_CACHE": "0"}
        idle = process_ms("pass", environment)
        for name, code in STARTS.items():
            times[name].append(process_ms(code, compiling) - idle)
        times.setdefault(kept, []).append(process_ms(STARTS["first call"], environment) - idle)
        for name in ("first call", "with options"):
            alone = times[name][-1] - times["import"][-1]
            times.setdefault(f"{name}, after import", []).append(alone)
    return {name: statistics.median(taken) for name, taken in times.items()}


def process_ms(code: str, environment: dict[str, str]) -> float:
    """Return the milliseconds of the processor that a new process takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main(arguments: Sequence[str]) -> None:
    """Print a table."""
    data = Path(arguments[0] if arguments else CORPUS).read_bytes()
    text = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    urls = text.decode("utf-8", "replace").splitlines()
    n = Normalizer("crawl")
    medians = measure({**columns(n, urls), **calls(n, urls), **engines(urls)})
    for name, ns in medians.items():
        print(f"{name:24}{ns:>10,.0f} ns{ns / medians['column']:>10.2f} columns")
    for name, ms in starts().items():
        print(f"{name:24}{ms:>10,.0f} ms")


if __name__ == "__main__":
    main(sys.argv[1:])
