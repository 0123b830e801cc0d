"""Dedupe on two executors, of which one is killed on the way: prints what is left, as JSON.

`python killed_executor.py URLS`, a file of lines. test_spark_cluster.py runs it in a process of its own.
"""

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

from pyspark.sql import SparkSession

from urlmill.spark import dedupe, normalize


def executors() -> dict[int, str]:
    """Return the processes of executors that this one started, with what they were started as."""
    found = {}
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().decode().split("\0")
            environment = (place.parent / "environ").read_bytes().decode(errors="replace")
        except OSError:
            continue
        is_ours = f"URLMILL_TEST={os.getpid()}" in environment
        if is_ours and "org.apache.spark.executor.CoarseGrainedExecutorBackend" in words:
            found[int(place.parent.name)] = words[words.index("--executor-id") + 1]
    return found


def kill_one(spark: SparkSession, killed: list[str]) -> None:
    """Kill an executor as soon as a task of the work is done, whose result it may have."""
    tracker = spark.sparkContext.statusTracker()
    while True:
        for stage in tracker.getActiveStageIds():
            info = tracker.getStageInfo(stage)
            if info is not None and info.numTasks > 4 and info.numCompletedTasks > 0:
                pid, name = next(iter(executors().items()))
                os.kill(pid, signal.SIGKILL)
                killed.append(name)
                return
        time.sleep(0.01)


def main(lines: str) -> None:
    os.environ["URLMILL_TEST"] = str(os.getpid())
    spark = (
        SparkSession.builder.master("local-cluster[2,1,2048]")
        .config("spark.ui.enabled", "false")
        .config("spark.executor.memory", "1g")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    df = spark.read.text(lines).withColumnRenamed("value", "url").repartition(16)
    killed: list[str] = []
    threading.Thread(target=kill_one, args=(spark, killed), daemon=True).start()
    kept = dedupe(df, key=bytes(16)).select("url", normalize("url").alias("key")).collect()
    rows = [row.key if row.key is not None else row.url for row in kept]
    print(json.dumps({"killed": killed, "rows": rows}))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
