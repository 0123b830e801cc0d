"""Spark beyond one process: executors that die, and a server that is asked by Spark Connect."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark")

from urlmill import Normalizer

TESTS = Path(__file__).parent
SOURCE = str(TESTS.parent / "src")

pytestmark = pytest.mark.skipif(shutil.which("java") is None, reason="no Java, which Spark needs")


def run(*arguments: str) -> Any:
    """Run a program that writes JSON as its last line; return that."""
    environment = {**os.environ, "PYTHONPATH": SOURCE, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, check=False, capture_output=True, timeout=600
    )
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_an_executor_that_is_killed_costs_no_row(urls: list[str], tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("\n".join(urls[:20_000]))
    found = run(str(TESTS / "killed_executor.py"), str(tmp_path / "list.txt"))
    values = Normalizer("crawl").normalize_batch(urls[:20_000]).values
    pairs = zip(urls, values, strict=False)
    assert len(found["killed"]) == 1
    assert sorted(found["rows"]) == sorted(
        {url if value is None else value for url, value in pairs}
    )


_ARCHIVE = """
import json, sys
from pyspark.sql import SparkSession
from urlmill.spark import dedupe
spark = (
    SparkSession.builder.master("local-cluster[1,1,1024]")
    .config("spark.ui.enabled", "false")
    .config("spark.executor.memory", "512m")
    .config("spark.sql.shuffle.partitions", "2")
    .config("spark.archives", sys.argv[1] + "#libs")
    .config("spark.executorEnv.PYTHONPATH", "./libs")
    .getOrCreate()
)
def places(_):
    import urlmill, wasmtime
    yield [urlmill.__file__, wasmtime.__file__]
found = spark.sparkContext.parallelize([1], 1).mapPartitions(places).collect()
rows = spark.createDataFrame([("HTTP://A",), ("http://a/",)], ["url"])
print(json.dumps({"places": found[0], "rows": dedupe(rows).count()}))
spark.stop()
"""


def test_executors_take_the_package_of_an_archive(tmp_path: Path) -> None:
    import wasmtime

    for package in (Path(SOURCE, "urlmill"), Path(wasmtime.__file__).parent):
        shutil.copytree(package, tmp_path / "libs" / package.name)
    archive = shutil.make_archive(str(tmp_path / "libs"), "gztar", tmp_path / "libs")
    (tmp_path / "program.py").write_text(_ARCHIVE)
    found = run(str(tmp_path / "program.py"), archive)
    assert found["rows"] == 1
    assert [Path(place).parent.parent.name for place in found["places"]] == ["libs", "libs"]


_CONNECT = """
import json, sys
from pyspark.sql import SparkSession
from pyspark.sql import functions as f
from urlmill.spark import dedupe, error, normalize, register
spark = SparkSession.builder.remote("local[1]").getOrCreate()
rows = [("HTTP://A/?b&a", 1, "http://z/"), ("http://a/?a&b", 2, None), ("x", 3, "http://b/c/d"), ("y", 4, None)]
df = spark.createDataFrame(rows, "url string, day int, page string")
register(spark, key=bytes(16))
print(json.dumps({
    "class": type(df).__module__,
    "urls": [row.u for row in df.select(normalize("url", base="page").alias("u")).collect()],
    "errors": [row.e for row in df.select(error("url").alias("e")).collect()],
    "sql": [row.u for row in df.selectExpr("url_normalize(url) AS u").collect()],
    "first": sorted(row.day for row in dedupe(df, keep="day").collect()),
    "last": sorted(row.day for row in dedupe(df, keep=f.col("day").desc()).collect()),
    "any": dedupe(df).count(),
}))
spark.stop()
"""


def test_spark_connect_gives_the_same(tmp_path: Path) -> None:
    import pyspark

    if pyspark.__version__.startswith("3."):
        pytest.skip("Spark 3.5 brings no server of Connect along")
    if importlib.util.find_spec("grpc_status") is None:
        pytest.skip("grpc_status is not installed")
    (tmp_path / "program.py").write_text(_CONNECT)
    found = run(str(tmp_path / "program.py"))
    assert "connect" in found["class"]
    assert found["urls"] == ["http://a/?a&b", "http://a/?a&b", "http://b/c/x", None]
    assert found["sql"] == ["http://a/?a&b", "http://a/?a&b", None, None]
    assert found["errors"] == [None, None, "NO_SCHEME", "NO_SCHEME"]
    assert (found["first"], found["last"], found["any"]) == ([1, 3, 4], [2, 3, 4], 3)
