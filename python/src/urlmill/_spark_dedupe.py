"""`python -m urlmill.spark dedupe IN OUT`: one row of each key, of files of Parquet or of lines."""

import argparse
import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ._errors import UrlmillError
from ._kernel import KEY_BYTES
from .spark import KEY, dedupe

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_DESCRIPTION = """Write one row of each key: rows whose URLs have equal normal forms become one. IN and OUT
are paths or URLs that Spark reads and writes: folders of Parquet files, or of text files with one URL a line. Rows
whose URL has no normal form become one if they are equal as a whole."""

_SEEN = """leave out keys that earlier runs with DIR wrote, and add those of this run. DIR is a folder of Parquet files
with a column fingerprint. The first run makes it; each run adds to it after OUT is whole. Needs --key-file"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m urlmill.spark", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("dedupe", help="one row of each key", description=_DESCRIPTION)
    command.add_argument("input", metavar="IN")
    command.add_argument("output", metavar="OUT")
    command.add_argument("--format", choices=["parquet", "text"], default="parquet")
    command.add_argument("--url", default="url", help="the column of Parquet with the URL (url)")
    command.add_argument("--preset", default="crawl", help="crawl if it is not given")
    command.add_argument("--keep", default="any", help="any, or a column: the smallest value stays")
    command.add_argument("--seen", metavar="DIR", help=_SEEN)
    command.add_argument(
        "--key-file",
        metavar="FILE",
        help="the key of fingerprints, 16 bytes; made if it is missing",
    )
    return parser


def _read_key(file: str | None) -> bytes | None:
    """Return the key in a file. Make the file if it is missing, readable by its owner alone."""
    if file is None:
        return None
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return Path(file).read_bytes()
    with os.fdopen(handle, "wb") as made:
        key = secrets.token_bytes(KEY_BYTES)
        made.write(key)
    return key


def _read_seen(spark: "SparkSession", folder: str) -> "DataFrame | None":
    """Return the keys of earlier runs; None before the first."""
    from pyspark.errors import AnalysisException

    try:
        return spark.read.parquet(folder)
    except AnalysisException as error:
        # Spark 3.5 has another name for it.
        condition_of = getattr(error, "getCondition", None) or error.getErrorClass
        if condition_of() == "PATH_NOT_FOUND":
            return None
        raise


def _write(df: "DataFrame", output: str, is_text: bool) -> None:
    if is_text:
        df.write.text(output)
    else:
        df.write.parquet(output)


def main(arguments: list[str]) -> int:
    """Run the command; return its exit code: 0 done, 1 failed, 2 wrong call."""
    given = _parser().parse_args(arguments)
    if given.seen is not None and given.key_file is None:
        print(
            "urlmill.spark: --seen needs --key-file, so that keys compare from run to run",
            file=sys.stderr,
        )
        return 2
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as f

    spark = SparkSession.builder.appName("urlmill dedupe").getOrCreate()
    try:
        key = _read_key(given.key_file)
        is_text = given.format == "text"
        df = spark.read.text(given.input) if is_text else spark.read.parquet(given.input)
        seen = None if given.seen is None else _read_seen(spark, given.seen)
        url = "value" if is_text else given.url
        kept = dedupe(
            df,
            url,
            given.preset,
            keep=given.keep,
            seen=seen,
            key=key,
            with_key=given.seen is not None,
        )
        if given.seen is None:
            _write(kept, given.output, is_text)
            return 0
        # Keys go last: a run that ends before them repeats rows, and loses none.
        kept = kept.persist()
        _write(kept.drop(KEY), given.output, is_text)
        keys = kept.where(f.col(KEY).isNotNull()).select(KEY)
        keys.write.mode("append").parquet(given.seen)
    except (UrlmillError, PySparkException) as error:
        print(f"urlmill.spark: {error}", file=sys.stderr)
        return 1
    return 0
