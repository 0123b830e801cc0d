"""Columns and tables of Spark: normal forms, fingerprints, SURT forms, and one row of each key.

`python -m urlmill.spark dedupe IN OUT` does the last for files. Spark sends columns to Python over Arrow; where it has
`arrow_udf` (Spark 4.1), no Python string is made. Where Spark has the jar `urlmill-VERSION-all.jar` (`spark.jars`),
`normalize` and `fingerprint` without a base stay in its own process, for less processor time and with equal results.

>>> from pyspark.sql import SparkSession
>>> from urlmill.spark import dedupe, normalize
>>> spark = SparkSession.builder.master("local[1]").getOrCreate()
>>> df = spark.createDataFrame([("HTTP://A/?b&a#c",), ("http://a/?a&b",)], ["url"])
>>> df.select(normalize("url").alias("u")).first().u
'http://a/?a&b'
>>> dedupe(df).count()
1
"""

import os
import re
from typing import TYPE_CHECKING, Any, Literal

from . import _spark_jvm
from ._errors import OptionError
from ._fingerprints import check_fingerprint_options
from ._kernel import KEY_BYTES
from ._normalizer import Normalizer
from ._policies import Errors, check_policy, errors_of, statuses_of
from ._row_bases import normalize_with_bases
from ._spark_functions import call_function, make_function, make_stream_function
from ._spark_keys import first_keys, is_first_row, line_keys, url_keys
from ._spark_names import in_table, is_only_column
from ._spark_rows import row_key
from ._spark_streams import check_stream, not_compared

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from typing_extensions import Unpack

    from ._option_types import NormalizerOptions, PresetName

    ColumnOrName = Column | str

KEY = "fingerprint"
"""The column of keys that `dedupe` adds for the time of its work, and `seen` has."""
_NUMBER = "_urlmill_number"
_PLACE = "_urlmill_place"
_IS_FIRST = "_urlmill_is_first"
_SEEN = "_urlmill_seen"


def normalize(
    url: "ColumnOrName",
    preset: "PresetName" = "crawl",
    *,
    base: "ColumnOrName | None" = None,
    errors: Errors = "null",
    **options: "Unpack[NormalizerOptions]",
) -> "Column":
    """Return the normal form of each URL as a string column; null for null, and for what is not a URL.

    `base` is a column with the absolute URL that each reference is resolved against; null for none. With
    `errors="keep"`, what is not a URL stays as it is; with `"raise"`, the query ends with an error.

    Options are those of `Normalizer`. For SQL, see `register`.

    >>> links = spark.createDataFrame([("../b", "http://a/x/y")], ["href", "page"])
    >>> links.select(normalize("href", base="page").alias("u")).first().u
    'http://a/b'
    """
    column = None
    if base is None and errors in ("null", "keep"):
        column = _spark_jvm.normalized(url, preset, options)
    if column is None:
        return call_function(_normalized(preset, errors, options), url, base)
    return column if errors == "null" else _kept(column, url)


def fingerprint(
    url: "ColumnOrName",
    preset: "PresetName" = "crawl",
    *,
    key: bytes,
    bits: int = 128,
    base: "ColumnOrName | None" = None,
    **options: "Unpack[NormalizerOptions]",
) -> "Column":
    """Return the fingerprint of each normal form as a binary column of 16 or 8 bytes; null where there is none.

    `key` has 16 bytes. Use one for all tables that are compared, and keep it from whoever picks the URLs. `base` is as
    for `normalize`.
    """
    if base is None:
        check_fingerprint_options(key, bits)
        column = _spark_jvm.fingerprints(url, preset, key, bits, options)
        if column is not None:
            return column
    return call_function(make_function(url_keys(preset, key, bits, options), "binary"), url, base)


def surt(
    url: "ColumnOrName",
    preset: "PresetName" = "crawl",
    *,
    base: "ColumnOrName | None" = None,
    errors: Errors = "null",
    **options: "Unpack[NormalizerOptions]",
) -> "Column":
    """Return the SURT form of each URL as a string column, for tables that are sorted by site."""
    return call_function(_surts(preset, errors, options), url, base)


def urlkey(
    url: "ColumnOrName",
    preset: "PresetName" = "safe",
    *,
    base: "ColumnOrName | None" = None,
    errors: Errors = "null",
    keep_www: bool = False,
    **options: "Unpack[NormalizerOptions]",
) -> "Column":
    """Return the key of each URL in indexes of web archives as a string column (`Normalizer.urlkey`)."""
    return call_function(_urlkeys(preset, errors, options, keep_www), url, base)


def status(
    url: "ColumnOrName",
    preset: "PresetName" = "crawl",
    *,
    base: "ColumnOrName | None" = None,
    **options: "Unpack[NormalizerOptions]",
) -> "Column":
    """Return the `Status` of each row as a column of bytes: 0 and 1 are URLs. Null stays null."""
    return call_function(_statuses(preset, options), url, base)


def error(
    url: "ColumnOrName",
    preset: "PresetName" = "crawl",
    *,
    base: "ColumnOrName | None" = None,
    **options: "Unpack[NormalizerOptions]",
) -> "Column":
    """Return the code of the error of each row, such as BAD_HOST; null for a URL and for null."""
    return call_function(_errors(preset, options), url, base)


def register(
    spark: "SparkSession",
    preset: "PresetName" = "crawl",
    *,
    key: bytes | None = None,
    prefix: str = "url_",
    errors: Errors = "null",
    **options: "Unpack[NormalizerOptions]",
) -> None:
    """Register functions for SQL: `url_normalize`, `url_key`, `url_surt`, `url_urlkey`, `url_status` and `url_error`.

    They do what `normalize`, `fingerprint`, `surt`, `urlkey`, `status` and `error` do, and take a base as their second
    argument, as in `url_normalize(href, page)`. `prefix` begins their names: with one for each preset, a session
    has several. `key` is the key of fingerprints, 16 bytes; without it, one is made for this
    session. Functions that an earlier call registered are replaced. Raises `OptionError`.

    >>> register(spark, preset="crawl")
    >>> spark.sql("SELECT url_normalize('HTTP://A/?b&a#c') AS u").first().u
    'http://a/?a&b'
    """
    used = os.urandom(KEY_BYTES) if key is None else key
    spark.udf.register(f"{prefix}normalize", _normalized(preset, errors, options))
    spark.udf.register(
        f"{prefix}key", make_function(url_keys(preset, used, 128, options), "binary")
    )
    spark.udf.register(f"{prefix}surt", _surts(preset, errors, options))
    spark.udf.register(f"{prefix}urlkey", _urlkeys(preset, errors, options))
    spark.udf.register(f"{prefix}status", _statuses(preset, options))
    spark.udf.register(f"{prefix}error", _errors(preset, options))


def dedupe(
    df: "DataFrame",
    url: "ColumnOrName" = "url",
    preset: "PresetName" = "crawl",
    *,
    base: "ColumnOrName | None" = None,
    keep: "Literal['any'] | ColumnOrName" = "any",
    seen: "DataFrame | None" = None,
    key: bytes | None = None,
    with_key: bool = False,
    **options: "Unpack[NormalizerOptions]",
) -> "DataFrame":
    """Return one row of each key: rows whose URLs have equal normal forms become one.

    `keep` is `"any"`, or a column: the row with its smallest value stays, and null counts as the largest. With an order
    it is the first row: `F.col("day").desc()` keeps the latest day. `base` is as for `normalize`. A name that the table
    has is taken whole, dots too; another one is read as Spark does, as `struct.field`.

    A row whose URL has no normal form is compared as a whole: it goes if all its columns are equal to those of another
    row. In a table of one column of text, the row is a line, with the key that the command `urlmill dedupe` gives it.
    Rows with a map, a variant or a type of a user cannot be compared, and stay.

    `seen` has earlier keys in a column `fingerprint`, of 16 bytes: rows with one of them go, too. Then `key` must be
    given, the key that made them. `with_key` leaves the column `fingerprint` in the result, to append to what was seen.

    A stream needs `key`, and the same one after each restart. It takes no `keep`, and keeps one state for each key.

    Spark shuffles by 16 bytes, which are hashes: hosts with many URLs do not make large partitions. With `"any"` and
    without `seen`, Python then has the keys of a partition in memory, about 24 bytes each: raise
    `spark.sql.shuffle.partitions` where partitions have many millions of rows. Raises `OptionError`.
    """
    from pyspark.sql import functions as f

    keeps_any = isinstance(keep, str) and keep == "any"
    _check_dedupe(df, keeps_any, seen, key)
    used = os.urandom(KEY_BYTES) if key is None else key
    are_lines = is_only_column(df, url) and base is None
    url, base = in_table(df, url), None if base is None else in_table(df, base)
    keys = line_keys(preset, used, options) if are_lines else url_keys(preset, used, 128, options)
    # Spark's own way goes over from batch to batch of a stream, and after a join it needs no further shuffle.
    is_by_python = keeps_any and seen is None and not df.isStreaming
    if is_by_python:
        columns = 1 if base is None else 2
        made = make_stream_function(first_keys(keys), "binary", columns)
        keyed = df.withColumn(KEY, call_function(made, url, base))
        keyed = keyed.where(f.col(KEY).isNull() | (f.length(KEY) > 0))
    elif are_lines:
        keyed = df.withColumn(KEY, call_function(make_function(keys, "binary"), url, base))
    else:
        keyed = df.withColumn(KEY, fingerprint(url, preset, key=used, base=base, **options))
    whole = row_key(df, used)
    group = [KEY]
    if whole is not None:
        keyed = keyed.withColumn(KEY, f.coalesce(f.col(KEY), whole))
    elif df.isStreaming:
        raise not_compared()
    else:
        # A row without a key gets a number that no other row has.
        number = f.when(f.col(KEY).isNull(), f.monotonically_increasing_id())
        keyed = keyed.withColumn(_NUMBER, number)
        group.append(_NUMBER)
    if seen is not None:
        earlier = seen.select(f.col(KEY).alias(_SEEN))
        keyed = keyed.join(earlier, f.col(KEY) == f.col(_SEEN), "left_anti")
    if is_by_python:
        kept = _first_rows(keyed, group)
    elif keeps_any:
        kept = keyed.dropDuplicates(group)
    else:
        kept = _first_of_each(keyed, group, in_table(df, keep))
    return kept.drop(*group) if not with_key else kept.drop(_NUMBER)


def _check_dedupe(
    df: "DataFrame", keeps_any: bool, seen: "DataFrame | None", key: bytes | None
) -> None:
    if seen is not None and key is None:
        raise OptionError("BAD_OPTION", "key: must be given with seen, the key that made its keys")
    # Spark does not tell upper case from lower, and would overwrite the column.
    if KEY in map(str.lower, df.columns):
        raise OptionError("BAD_OPTION", f"df: has a column {KEY}, so rename it")
    if df.isStreaming:
        check_stream(key, keeps_any, seen)


def _first_rows(df: "DataFrame", group: list[str]) -> "DataFrame":
    """Return one row of each key. Rows of a key go to one partition, where Python has a set of its keys.

    `dropDuplicates` would sort all rows before and after they are sent, because they have values of any length.
    """
    from pyspark.sql import functions as f

    is_first = make_stream_function(is_first_row, "boolean", 1)
    divided = df.repartition(*group).withColumn(_IS_FIRST, is_first(f.col(KEY)))
    return divided.where(f.col(_IS_FIRST)).drop(_IS_FIRST)


def _first_of_each(df: "DataFrame", group: list[str], keep: "ColumnOrName") -> "DataFrame":
    """Return the first row of each group in the order of a column, with nulls last, or in an order."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    column = f.col(keep) if isinstance(keep, str) else keep
    # Spark says only by the end of a column's text, `Column<'day DESC NULLS LAST'>`, whether it is an order.
    text = "" if isinstance(keep, str) else str(column)
    is_order = re.search(r" (ASC|DESC) NULLS (FIRST|LAST)\W*$", text)
    order = column if is_order else column.asc_nulls_last()
    number = f.row_number().over(Window.partitionBy(*group).orderBy(order))
    return df.withColumn(_PLACE, number).where(f.col(_PLACE) == 1).drop(_PLACE)


def _normalized(preset: "PresetName", errors: Errors, options: "NormalizerOptions") -> Any:
    check_policy(errors)
    n = Normalizer(preset, **options)

    def url_normalize(urls: Any, *bases: Any) -> Any:
        return _rows(n, urls, bases, errors)[0]

    return make_function(url_normalize, "string")


def _kept(column: "Column", url: "ColumnOrName") -> "Column":
    """Return normal forms. A row without one stays as it was."""
    from pyspark.sql import functions as f

    given = f.col(url) if isinstance(url, str) else url
    return f.coalesce(column, given.cast("string")).alias(f"url_normalize({url})")


def _rows(n: Normalizer, urls: Any, bases: Any, errors: Errors = "null") -> tuple[Any, Any]:
    """Return normal forms and statuses; `bases` has a column of them, or none."""
    if bases:
        return normalize_with_bases(n, urls, bases[0], errors)
    return n.normalize_batch(urls, errors=errors)


def _resolved(n: Normalizer, urls: Any, bases: Any, errors: Errors = "null") -> Any:
    """Return texts that need no base: those given, where there is no column of bases."""
    return normalize_with_bases(n, urls, bases[0], errors)[0] if bases else urls


def _surts(preset: "PresetName", errors: Errors, options: "NormalizerOptions") -> Any:
    check_policy(errors)
    n = Normalizer(preset, **options)

    def url_surt(urls: Any, *bases: Any) -> Any:
        return n.surt_batch(_resolved(n, urls, bases, errors), errors=errors).values

    return make_function(url_surt, "string")


def _urlkeys(
    preset: "PresetName", errors: Errors, options: "NormalizerOptions", keep_www: bool = False
) -> Any:
    check_policy(errors)
    n = Normalizer(preset, **options)

    def url_urlkey(urls: Any, *bases: Any) -> Any:
        texts = _resolved(n, urls, bases, errors)
        return n.urlkey_batch(texts, errors=errors, keep_www=keep_www).values

    return make_function(url_urlkey, "string")


def _statuses(preset: "PresetName", options: "NormalizerOptions") -> Any:
    n = Normalizer(preset, **options)

    def url_status(urls: Any, *bases: Any) -> Any:
        # Spark has no unsigned numbers.
        return statuses_of(_rows(n, urls, bases)[1]).cast("int8")

    return make_function(url_status, "tinyint")


def _errors(preset: "PresetName", options: "NormalizerOptions") -> Any:
    n = Normalizer(preset, **options)

    def url_error(urls: Any, *bases: Any) -> Any:
        return errors_of(_rows(n, urls, bases)[1])

    return make_function(url_error, "string")


if __name__ == "__main__":
    import sys

    from ._spark_dedupe import main

    sys.exit(main(sys.argv[1:]))
