"""Measure the state of a stream that is deduped: `python python/benchmarks/spark_streams.py ROWS`.

For each of Spark's two state stores it prints the bytes of memory and of the checkpoint on disk that a URL takes,
after a stream of ROWS URLs in four batches. Memory is what Spark itself reports in the progress of the query.
"""

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["PYTHONPATH"] = str(ROOT / "python" / "src")
sys.path.insert(0, os.environ["PYTHONPATH"])

from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql import functions as f  # noqa: E402

from urlmill.spark import dedupe  # noqa: E402

PROVIDERS = {
    "in memory (default)": "HDFSBackedStateStoreProvider",
    "RocksDB": "RocksDBStateStoreProvider",
}
_PACKAGE = "org.apache.spark.sql.execution.streaming.state"


def main(rows: int, folder: Path) -> None:
    """Measure, and print a line for each state store."""
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", "4g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    path = f.concat(f.lit("http://www.example.com/path/of/page/"), f.hex(f.xxhash64("id")))
    urls = spark.range(0, rows, 1, 4).select(path.alias("url"), f.col("id").alias("n"))
    urls.write.parquet(f"{folder}/in")
    print(f"Spark {spark.version}, {rows} URLs")
    for at, (name, provider) in enumerate(PROVIDERS.items()):
        spark.conf.set("spark.sql.streaming.stateStore.providerClass", f"{_PACKAGE}.{provider}")
        given = spark.readStream.schema("url string, n long").option("maxFilesPerTrigger", 1)
        sink = dedupe(given.parquet(f"{folder}/in"), key=bytes(16)).writeStream.format("noop")
        checkpoint = folder / f"checkpoint{at}"
        query = (
            sink.option("checkpointLocation", str(checkpoint)).trigger(availableNow=True).start()
        )
        query.awaitTermination()
        progress = query.lastProgress
        if progress is None:
            sys.exit("Spark reports no progress")
        state = progress["stateOperators"][0]
        files = (file for file in (checkpoint / "state").rglob("*") if file.is_file())
        kept = sum(file.stat().st_size for file in files)
        total = state["numRowsTotal"]
        print(
            f"{name:22}{total:9} keys{state['memoryUsedBytes'] / total:8.0f} bytes of memory"
            f"{kept / total:8.0f} bytes of the checkpoint, each"
        )
    spark.stop()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        main(int(sys.argv[1]), Path(temporary))
