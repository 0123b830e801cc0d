"""Columns that the jar makes within Spark are those that Python makes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

TESTS = Path(__file__).parent
SOURCE = str(TESTS.parent / "src")
JARS = sorted((TESTS.parents[1] / "java" / "target").glob("urlmill-*-all.jar"))

pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="no Java, which Spark needs"),
    pytest.mark.skipif(not JARS, reason="the jar is missing: mvn package in java/"),
]

# A process of its own: Spark takes jars only when it starts.
_BEGIN = """
import os, sys
from pyspark.sql import SparkSession
from pyspark.sql import functions as f
from urlmill import Normalizer, OptionError
from urlmill import spark as urlmill
from urlmill import _spark_jvm

spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "2")
    .config("spark.jars", os.environ["URLMILL_JAR"])
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")
KEY = b"k" * 16
"""


def run(program: str, *arguments: str) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": SOURCE,
        "PYSPARK_PYTHON": sys.executable,
        "URLMILL_JAR": str(JARS[-1]),
    }
    done = subprocess.run(
        [sys.executable, "-c", _BEGIN + program, *arguments],
        env=environment,
        check=False,
        capture_output=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr.decode()[-3000:]


def test_columns_are_those_of_python_and_no_worker_runs(urls: list[str], tmp_path: Path) -> None:
    count = len(urls) if os.environ.get("URLMILL_LONG") else 5_000
    hostile = [
        b"\xff",
        b"http://a/\xff",
        b"HTTP://\xc3\xa9.fr",
        b"",
        b"no url",
        b"http://a/" * 9_000,
    ]
    lines = [*(url.encode() for url in urls[:count]), *hostile]
    (tmp_path / "list.txt").write_bytes(b"\n".join(lines) + b"\n")
    run(
        """
df = spark.read.option("lineSep", "\\n").text(sys.argv[1]).withColumnRenamed("value", "url")
df = df.union(spark.createDataFrame([(None,)], "url string"))
for preset in ("safe", "crawl", "aggressive"):
    n = Normalizer(preset, drop_params=["ref"])
    options = {"preset": preset, "drop_params": ["ref"]}
    made = df.select(
        f.col("url").cast("binary").alias("given"),
        urlmill.normalize("url", **options),
        urlmill.normalize("url", **options, errors="keep").cast("binary").alias("kept"),
        urlmill.fingerprint("url", **options, key=KEY).alias("key"),
        urlmill.fingerprint(f.col("url"), **options, key=KEY, bits=64).alias("half"),
    )
    assert made.columns == ["given", "url_normalize(url)", "kept", "key", "half"], made.columns
    plan = made._jdf.queryExecution().toString()
    assert "Python" not in plan and "Arrow" not in plan, plan
    rows = made.collect()
    given = [None if row[0] is None else bytes(row[0]) for row in rows]
    assert [row[1] for row in rows] == n.normalize_batch(given).values
    kept = n.normalize_batch(given, errors="keep").values
    as_bytes = [value.encode() if isinstance(value, str) else value for value in kept]
    assert [None if row[2] is None else bytes(row[2]) for row in rows] == as_bytes
    keys = n.fingerprint_batch(given, key=KEY).fingerprints
    assert [None if row[3] is None else bytes(row[3]) for row in rows] == keys
    assert [None if row[4] is None else bytes(row[4]) for row in rows] == [
        None if key is None else key[:8] for key in keys
    ]
first = urlmill.dedupe(df, keep="url", key=KEY, with_key=True).collect()
assert len(first) > 1000
""",
        str(tmp_path / "list.txt"),
    )


def test_functions_of_sql_take_a_preset_or_a_plan() -> None:
    run(
        """
package = "io.github.urlmill.spark"
spark.udf.registerJavaFunction("url_normalize", f"{package}.NormalizeUrl", "string")
spark.udf.registerJavaFunction("url_key", f"{package}.FingerprintUrl", "binary")
n = Normalizer("crawl", drop_params=["ref"])
spark.createDataFrame([("HTTP://A/?ref=1&b&a#c",), ("x",), (None,)], "url string").createTempView("t")
plan = f"X'{n.plan.hex()}'"
rows = spark.sql(f'''
    SELECT url, url_normalize(url, 'crawl') AS a, url_normalize(url, {plan}) AS b,
      url_normalize(CAST(url AS BINARY), 'safe') AS c, url_key(url, {plan}, X'{KEY.hex()}') AS d
    FROM t
''').collect()
assert [row.a for row in rows] == ["http://a/?a&b&ref=1", None, None], rows
assert [row.b for row in rows] == ["http://a/?a&b", None, None], rows
assert [row.c for row in rows] == ["http://a/?ref=1&b&a#c", None, None], rows
keys = [None if row.d is None else bytes(row.d) for row in rows]
assert keys == [n.fingerprint_batch(["http://a/?a&b"], key=KEY).fingerprints[0], None, None], keys
for given, code in (("'fast'", "BAD_OPTION"), ("X'05'", "BAD_OPTION")):
    try:
        spark.sql(f"SELECT url_normalize(url, {given}) FROM t").collect()
    except Exception as error:
        assert code in str(error), error
    else:
        raise AssertionError(given)
"""
    )


def test_a_jar_of_another_release_is_refused_with_both_versions() -> None:
    run(
        """
_spark_jvm.__version__ = "9.9.9"
try:
    urlmill.normalize("url")
except OptionError as error:
    assert "of another release than this package, 9.9.9" in str(error), error
else:
    raise AssertionError
"""
    )
