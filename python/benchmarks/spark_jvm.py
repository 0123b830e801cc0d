"""Measure functions of Spark on the JVM beside those in Python.

`python python/benchmarks/spark_jvm.py ROWS [ROUNDS] [FOLDER]` takes Node, javac, and the jar that `mvn package` leaves
in java/target. FOLDER keeps the list for the next run. `URLMILL_MASTER` and `URLMILL_WAYS` are those of spark.py.

For each way it prints microseconds of the processor a row, of Java and Python, then the cost above a function that
gives each URL back, and how many times as much the way in Python takes: medians of rounds in which all take turns.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from spark import KEY, MASTER, PARTS, ROOT, processor_seconds, to_nowhere

from urlmill import Normalizer, _spark_jvm
from urlmill._spark_functions import call_function, make_function
from urlmill._spark_keys import url_keys

IDENTITY = """
public final class Identity implements org.apache.spark.sql.api.java.UDF1<String, String> {
  @Override public String call(String url) { return url; }
}
"""


def identity_jar(folder: Path) -> Path:
    """Compile a function that gives each string back."""
    import pyspark

    source = folder / "Identity.java"
    source.write_text(IDENTITY)
    classes = folder / "classes"
    jars = Path(pyspark.__file__).parent / "jars" / "*"
    subprocess.run(["javac", "-cp", jars, "-d", classes, source], check=True)
    with_it = folder / "identity.jar"
    subprocess.run(["jar", "cf", with_it, "-C", classes, "."], check=True)
    return with_it


def ways(df: DataFrame) -> dict[str, Callable[[], Any]]:
    """Return what is measured, by its name."""
    same = f.arrow_udf(lambda urls: urls, "string")
    n = {preset: Normalizer(preset) for preset in ("safe", "crawl")}

    def in_python(preset: str) -> Any:
        made = make_function(lambda urls: n[preset].normalize_batch(urls).values, "string")
        return call_function(made, "url", None)

    keys = make_function(url_keys("crawl", KEY, 128, {}), "binary")
    columns = {
        "read": f.col("url"),
        "JVM, identity": f.expr("url_identity(url)"),
        "JVM, safe": _spark_jvm.normalized("url", "safe", {}),
        "JVM, crawl": _spark_jvm.normalized("url", "crawl", {}),
        "JVM, SQL crawl": f.expr("url_normalize(url, 'crawl')"),
        "JVM, keys": _spark_jvm.fingerprints("url", "crawl", KEY, 128, {}),
        "Python, identity": same("url"),
        "Python, safe": in_python("safe"),
        "Python, crawl": in_python("crawl"),
        "Python, keys": call_function(keys, "url", None),
    }
    return {
        name: lambda column=column: to_nowhere(df.select(column))
        for name, column in columns.items()
        if any(part in name for part in [*PARTS, "identity"])
    }


def main(rows: int, rounds: int, folder: Path) -> None:
    """Measure, and print a line for each way."""
    jar = max((ROOT / "java" / "target").glob("urlmill-*-all.jar"))
    spark = (
        SparkSession.builder.master(MASTER)
        .config("spark.driver.memory", "4g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.jars", f"{jar},{identity_jar(folder)}")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    spark.udf.registerJavaFunction("url_identity", "Identity", "string")
    name = "io.github.urlmill.spark.NormalizeUrl"
    spark.udf.registerJavaFunction("url_normalize", name, "string")
    urls = folder / f"urls-{rows}"
    if not urls.exists():
        lines = folder / "lines.txt"
        make = ["node", "test/proofs/make-list.mjs", str(rows), str(lines)]
        subprocess.run(make, cwd=ROOT, check=True)
        spark.read.text(str(lines)).withColumnRenamed("value", "url").write.parquet(str(urls))
        lines.unlink()
    df = spark.read.parquet(str(urls))
    took: dict[str, list[float]] = {}
    for at in range(-1, rounds):
        for way, run in ways(df).items():
            before, _ = processor_seconds()
            run()
            if at >= 0:
                took.setdefault(way, []).append((processor_seconds()[0] - before) / rows * 1e6)
    print(f"Spark {spark.version}, {rows} rows, {MASTER}, {rounds} rounds")
    spark.stop()
    for way, times in took.items():
        same = took[f"{way.split(',')[0]}, identity"] if "," in way else times
        above = median(one - other for one, other in zip(times, same, strict=True))
        twin = took.get(way.replace("JVM", "Python").replace("SQL ", ""), times)
        ratio = median(other / one for one, other in zip(times, twin, strict=True))
        # The two are measured one after the other, so that a small difference is noise.
        shown = f"{above:8.2f}" if above > 0 else "   noise"
        print(f"{way:20}{median(times):8.2f} µs/row {shown} above identity {ratio:8.2f} x")


if __name__ == "__main__":
    given = sys.argv[1:]
    with tempfile.TemporaryDirectory() as temporary:
        main(
            int(given[0]),
            int(given[1]) if len(given) > 1 else 3,
            Path(given[2]) if len(given) > 2 else Path(temporary),
        )
