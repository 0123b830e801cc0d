"""Measure what keys cost in Spark: `python python/benchmarks/spark.py ROWS [ROUNDS] [FOLDER]`, with Node.

FOLDER keeps the list for the next run. `URLMILL_MASTER` names another master, such as `local-cluster[2,1,2048]`, and
`URLMILL_WAYS` parts of the names of what is measured, such as `dedupe,Duplicates`.

For each way it prints seconds of the clock, microseconds of the processor a row, those of Python alone, and bytes of
the shuffle. Then it prints how many times as much processor time `dedupe` takes as `dropDuplicates`: the median, least
and most of rounds in which they take turns, because other work on the machine changes this least. The list is made of
the real URLs of test/fixtures, with other queries, as test/proofs/make-list.mjs does.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["PYTHONPATH"] = str(ROOT / "python" / "src")
sys.path.insert(0, os.environ["PYTHONPATH"])

from pyspark.sql import DataFrame, SparkSession  # noqa: E402
from pyspark.sql import functions as f  # noqa: E402

from urlmill.spark import dedupe, fingerprint  # noqa: E402

KEY = bytes(16)


class Run(NamedTuple):
    """Holds the seconds of a run."""

    clock: float
    processor: float
    python: float


TICKS = os.sysconf("SC_CLK_TCK")
MASTER = os.environ.get("URLMILL_MASTER", "local[2]")
PARTS = os.environ.get("URLMILL_WAYS", "").split(",")

PAIRS = {
    "dedupe, with a number": "dropDuplicates, with a number",
    "dedupe, with a text": "dropDuplicates, with a text",
    "distinct of keys": "distinct of strings",
}
"""What is compared with what."""

SPENT: dict[tuple[str, int], int] = {}
"""The most ticks that each JVM, and each daemon of Python with its workers, was seen with.

Spark ends them, too, and a worker that ended counts nowhere until its daemon has asked for it.
"""


def processor_seconds() -> tuple[float, float]:
    """Return the processor time of Spark so far: of Java and Python, and of Python alone."""
    parents, java, python = {}, {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            command = (stat.parent / "cmdline").read_bytes()
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue  # a process that ended
        pid, own = int(stat.parent.name), int(fields[11]) + int(fields[12])
        parents[pid] = int(fields[1])
        if b"java" in command:
            java[pid] = own
        elif b"pyspark.daemon" in command:
            # With those of workers that ended: Spark ends them a minute after their last task.
            python[pid] = own + int(fields[13]) + int(fields[14])

    def is_ours(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and is_ours(parents[pid]))

    seen: dict[tuple[str, int], int] = {
        ("java", pid): ticks for pid, ticks in java.items() if is_ours(pid)
    }
    for pid, ticks in python.items():
        if is_ours(pid):
            daemon = ("python", parents[pid] if parents[pid] in python else pid)
            seen[daemon] = seen.get(daemon, 0) + ticks
    for process, ticks in seen.items():
        SPENT[process] = max(ticks, SPENT.get(process, 0))
    of_python = sum(ticks for (kind, _), ticks in SPENT.items() if kind == "python") / TICKS
    return sum(SPENT.values()) / TICKS, of_python


def to_nowhere(df: DataFrame) -> None:
    """Compute all rows, and drop them."""
    df.write.format("noop").mode("overwrite").save()


def ways(df: DataFrame) -> dict[str, Callable[[], Any]]:
    """Return what is measured, by its name."""
    # Spark reads annotations, and knows none that fits: a lambda has none.
    same = f.arrow_udf(lambda urls: urls, "string")
    keys = df.select(fingerprint("url", key=KEY).alias("key"))
    numbers = df.withColumn("n", f.length("url"))
    texts = numbers.withColumn("t", f.substring("url", 9, 12))
    return {
        "identity": lambda: to_nowhere(df.select(same("url"))),
        "fingerprint": lambda: to_nowhere(keys),
        "distinct of strings": lambda: df.distinct().count(),
        "distinct of keys": lambda: keys.distinct().count(),
        "dropDuplicates, with a number": lambda: to_nowhere(numbers.dropDuplicates(["url"])),
        "dedupe, with a number": lambda: to_nowhere(dedupe(numbers, key=KEY)),
        "dropDuplicates, with a text": lambda: to_nowhere(texts.dropDuplicates(["url"])),
        "dedupe, with a text": lambda: to_nowhere(dedupe(texts, key=KEY)),
    }


def shuffled_bytes(folder: Path) -> dict[str, int]:
    """Return the bytes that the tasks of each way wrote to the shuffle."""
    way_of: dict[int, str] = {}
    written: dict[str, int] = {}
    lines = (line for log in folder.rglob("events_*") for line in log.open())
    for line in lines:
        event = json.loads(line)
        if event["Event"] == "SparkListenerJobStart":
            way = event["Properties"].get("spark.job.description", "")
            way_of.update(dict.fromkeys(event["Stage IDs"], way))
        elif event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
            way = way_of.get(event["Stage ID"], "")
            metrics = event["Task Metrics"]["Shuffle Write Metrics"]
            written[way] = written.get(way, 0) + metrics["Shuffle Bytes Written"]
    return written


def main(rows: int, rounds: int, folder: Path) -> None:
    """Measure, and print a line for each way."""
    urls = folder / f"urls-{rows}"
    logs = folder / "logs"
    logs.mkdir(exist_ok=True)
    spark = (
        SparkSession.builder.master(MASTER)
        .config("spark.driver.memory", "8g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", str(max(4, rows // 1_000_000)))
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "50000")
        .config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.compress", "false")
        .config("spark.eventLog.dir", logs.as_uri())
        .config("spark.local.dir", str(folder))
        .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    if not urls.exists():
        lines = folder / "lines.txt"
        make = ["node", "test/proofs/make-list.mjs", str(rows), str(lines)]
        subprocess.run(make, cwd=ROOT, check=True)
        spark.read.text(str(lines)).withColumnRenamed("value", "url").write.parquet(str(urls))
        lines.unlink()
    df = spark.read.parquet(str(urls))
    print(
        f"Spark {spark.version}, Python {sys.version.split()[0]}, {rows} rows, {MASTER}, {rounds} rounds"
    )
    measured: dict[str, list[Run]] = {}
    answers: dict[str, Any] = {}
    # One round alone is as it comes; of several, the one before the first does not count.
    passes = range(0 if rounds == 1 else -1, rounds)
    for at in passes:
        for name, run in ways(df).items():
            if not any(part in name for part in PARTS):
                continue
            spark.sparkContext.setJobDescription(name)
            begin, busy = time.perf_counter(), processor_seconds()
            answers[name] = run()
            if at >= 0:
                spent = [
                    after - before for after, before in zip(processor_seconds(), busy, strict=True)
                ]
                measured.setdefault(name, []).append(Run(time.perf_counter() - begin, *spent))
    spark.stop()
    shuffled = shuffled_bytes(logs)
    for name, runs in measured.items():
        seconds, processor, python = (median(each) for each in zip(*runs, strict=True))
        megabytes = shuffled.get(name, 0) / len(passes) / 1e6
        print(
            f"{name:32}{seconds:8.1f} s{processor / rows * 1e6:8.2f} µs/row"
            f"{python / rows * 1e6:8.2f} of Python{megabytes:9.0f} MB shuffled  {answers[name] or ''}"
        )
    for name, other in PAIRS.items():
        if name not in measured or other not in measured:
            continue
        ratios = [
            one.processor / two.processor
            for one, two in zip(measured[name], measured[other], strict=True)
        ]
        print(f"{name} / {other}: {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    given = sys.argv[1:]
    with tempfile.TemporaryDirectory() as temporary:
        main(
            int(given[0]),
            int(given[1]) if len(given) > 1 else 3,
            Path(given[2]) if len(given) > 2 else Path(temporary),
        )
