"""Columns with names of every kind, in each library."""

import os
import re
import shutil
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

import urlmill
from urlmill import Normalizer, OptionError

KEY = b"k" * 16
SOURCE = str(Path(__file__).parents[1] / "src")
NAMES = [
    "a.b",
    "a.b.c",
    "a`b",
    "`a`",
    "a b",
    " url ",
    "URL",
    "Select",
    "from",
    "any",
    "*",
    "^u.*$",
    "a[0]",
    "x ASC NULLS LAST",
    'a"b',
    "a'b",
    "a,b",
    "ü",
    "\U0001f600",
    "fingerprints",
]
"""Dots, backticks, spaces, upper case, words of SQL, and what libraries read as a pattern."""
URLS = ["HTTP://A/?b&a", "http://a/?a&b#c", "x", "x", None, "http://b/"]
DAYS = [2, 1, 3, 3, 4, 5]
BASES = ["http://a/"] * len(URLS)
N = Normalizer("crawl")


def the_struct(name: str) -> list[dict[str, Any]]:
    """Return a column of structs, whose field has the name, too."""
    return [{name: day, "In.side": {name: url}} for day, url in zip(DAYS, URLS, strict=True)]


@pytest.mark.parametrize("name", NAMES)
def test_pandas_takes_any_name(name: str) -> None:
    pd = pytest.importorskip("pandas")
    import urlmill.pandas

    frame = pd.DataFrame({"day ": DAYS, name: URLS, f"{name}.{name}": URLS})
    url = frame[name].url
    columns = [url.normalize(), url.fingerprint(key=KEY), url.surt(), url.urlkey(), url.status()]
    assert [column.name for column in [*columns, url.error()]] == [name] * 6
    kept = urlmill.dedupe(frame, name, preset="crawl", keep="last")
    assert kept["day "].tolist() == [1, 3, 4, 5]
    assert kept.columns.tolist() == frame.columns.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_polars_takes_any_name(name: str) -> None:
    pl = pytest.importorskip("polars")
    import urlmill.polars

    frame = pl.DataFrame({"day ": DAYS, name: URLS, f"{name}.{name}": the_struct(name)})
    kept = urlmill.dedupe(frame, name, preset="crawl", keep="last")
    assert kept["day "].to_list() == [1, 3, 4, 5]
    assert kept.columns == frame.columns
    lazy = urlmill.dedupe(frame.lazy(), name, preset="crawl", keep="last")
    assert lazy.collect().equals(kept)
    series = frame[name].url
    columns = [
        series.normalize(preset="crawl"),
        series.fingerprint(key=KEY),
        series.surt(),
        series.urlkey(),
        series.status(),
        series.error(),
    ]
    assert [column.name for column in columns] == [name] * 6
    if name not in ("*", "^u.*$"):  # in which Polars itself finds columns
        url = frame.select(pl.col(name).url.normalize(preset="crawl"))
        assert url.columns == [name]
        assert url[name].equals(columns[0])


@pytest.mark.parametrize("name", NAMES)
def test_arrow_takes_any_name(name: str) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"day ": DAYS, name: URLS, f"{name}.{name}": the_struct(name)[:1] * 6})
    kept = urlmill.dedupe(table.drop_columns([f"{name}.{name}"]), name, preset="crawl")
    assert kept["day "].to_pylist() == [2, 3, 4, 5]
    kept = urlmill.dedupe(table, name, preset="crawl")
    assert kept.column_names == table.column_names
    # Arrow does not compare rows with structs, so both without a URL stay.
    assert kept["day "].to_pylist() == [2, 3, 3, 4, 5]


@pytest.mark.parametrize("name", NAMES)
def test_duckdb_takes_any_name(name: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    pa = pytest.importorskip("pyarrow")
    from urlmill.duckdb import register

    with duckdb.connect() as connection:
        register(connection, preset="crawl", key=KEY)
        table = pa.table({name: URLS, "s": the_struct(name)})
        frame = duckdb.from_arrow(table, connection=connection)
        column = '"' + name.replace('"', '""') + '"'
        for given in (column, f's."In.side".{column}'):
            asked = ", ".join(
                f"url_{end}({given})"
                for end in ("normalize", "key", "surt", "urlkey", "status", "error")
            )
            rows = frame.query("t", f"SELECT {asked} FROM t").fetchall()
            assert [row[0] for row in rows] == N.normalize_batch(URLS).values
            assert [row[2] for row in rows] == N.surt_batch(URLS).values
            assert rows[2][4:] == (3, "NO_SCHEME")


@pytest.fixture(scope="module")
def spark() -> Generator[Any, None, None]:
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("no Java, which Spark needs")
    from pyspark.sql import SparkSession

    # Workers are processes of their own.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join([SOURCE, os.environ.get("PYTHONPATH", "")])
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.driver.memory", "1g")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def table(spark: Any, *names: str) -> Any:
    """Return a table with URLs, bases and a struct under each name; the struct has a field of the name."""
    from pyspark.sql import types as t

    fields = [t.StructField("day ", t.IntegerType())]
    columns: list[list[Any]] = [DAYS]
    for name in names:
        inner = t.StructType([t.StructField(name, t.StringType())])
        struct = [t.StructField(name, t.IntegerType()), t.StructField("In.side", inner)]
        fields += [
            t.StructField(name, t.StringType()),
            t.StructField(f"{name}.base", t.StringType()),
            t.StructField(f"{name}.{name}", t.StructType(struct)),
        ]
        columns += [URLS, BASES, the_struct(name)]
    rows = list(zip(*columns, strict=True))
    return spark.createDataFrame(rows, t.StructType(fields)).coalesce(1)


def of_spark(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def in_struct(name: str) -> str:
    return f"{of_spark(f'{name}.{name}')}.`In.side`.{of_spark(name)}"


@pytest.mark.filterwarnings("ignore")
def test_columns_of_spark_take_any_name(spark: Any) -> None:
    from urlmill.spark import error, fingerprint, normalize, register, status, surt, urlkey

    df = table(spark, *NAMES)
    register(spark)
    columns, resolved = [], ["http://a/x" if url == "x" else url for url in URLS]
    for name in NAMES:
        own, base = of_spark(name), of_spark(f"{name}.base")
        columns += [
            normalize(in_struct(name)),
            normalize(own, base=base),
            surt(own, base=base),
            urlkey(own),
            status(own, base=base),
            error(own),
            fingerprint(own, key=KEY),
        ]
    rows = df.select(*(column.alias(str(at)) for at, column in enumerate(columns))).collect()
    asked = [f"url_normalize({of_spark(name)}) AS _{at}" for at, name in enumerate(NAMES)]
    by_sql = list(zip(*df.selectExpr(*asked).collect(), strict=True))
    found = list(zip(*rows, strict=True))
    for at in range(len(NAMES)):
        plain, given, surts, _, statuses, errors, keys = found[7 * at : 7 * at + 7]
        assert list(plain) == N.normalize_batch(URLS).values == list(by_sql[at])
        assert list(given) == N.normalize_batch(resolved).values
        assert list(surts) == N.surt_batch(resolved).values
        assert (statuses[2], errors[2], keys[2]) == (1, "NO_SCHEME", None)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["a.b", "`a`", "Select", "x ASC NULLS LAST"])
def test_dedupe_in_spark_takes_any_name(spark: Any, name: str) -> None:
    from urlmill.spark import dedupe

    df = table(spark, name)
    own = of_spark(name)

    def days(given: Any) -> list[int]:
        assert given.columns == df.columns
        return sorted(row["day "] for row in given.collect())

    seen = dedupe(df.where(f"{own} = 'http://b/'"), name, key=KEY, with_key=True)
    # Upper case comes before lower.
    assert days(dedupe(df, name, base=f"{name}.base", key=KEY, seen=seen, keep=name)) == [2, 3, 4]
    day = f"{of_spark(f'{name}.{name}')}.{own}"
    assert days(dedupe(df, in_struct(name), keep=day)) == [1, 3, 4, 5]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["a.b", "URL", "`a`"])
def test_a_list_in_spark_has_the_keys_of_lines_under_any_name(spark: Any, name: str) -> None:
    from urlmill.spark import KEY as COLUMN
    from urlmill.spark import dedupe

    df = spark.createDataFrame([("x",)], [name])
    for given in (name, of_spark(name), of_spark(name.lower())):
        (row,) = dedupe(df, given, key=KEY, with_key=True).collect()
        assert bytes(row[COLUMN]) == N.line_keys(["x"], KEY)[0]


@pytest.mark.filterwarnings("ignore")
def test_fields_that_spark_does_not_tell_apart_are_not_compared(spark: Any) -> None:
    from urlmill.spark import dedupe

    row = "SELECT 'x' AS url, named_struct('a', 1, 'A', 2) AS s"
    assert dedupe(spark.sql(f"{row} UNION ALL {row}")).count() == 2


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["fingerprint", "Fingerprint", "FINGERPRINT"])
def test_a_column_of_fingerprints_is_not_overwritten(spark: Any, name: str) -> None:
    from urlmill.spark import dedupe

    df = spark.createDataFrame([("http://a/", 1)], ["url", name])
    with pytest.raises(OptionError, match=re.escape("df: has a column fingerprint, so rename it")):
        dedupe(df)
