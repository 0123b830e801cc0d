import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from urlmill import Normalizer, OptionError

KEY = b"k" * 16
ROOT = Path(__file__).parents[2]
MAIN = ROOT / "dist" / "cli" / "main.js"
SOURCE = str(Path(__file__).parents[1] / "src")

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(shutil.which("java") is None, reason="no Java, which Spark needs"),
]


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    # Workers are processes of their own.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join([SOURCE, os.environ.get("PYTHONPATH", "")])
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.memory", "1g")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def table(spark, some_urls):
    rows = [*enumerate(some_urls), (-1, None), (-2, "no url"), (-3, "no url")]
    return spark.createDataFrame(rows, "id int, url string").repartition(4).cache()


def test_columns_are_those_of_the_normalizer(table):
    from urlmill.spark import fingerprint, normalize, surt

    rows = table.select(
        "url",
        normalize("url").alias("n"),
        fingerprint("url", key=KEY).alias("k"),
        surt("url").alias("s"),
    ).collect()
    n = Normalizer("crawl")
    given = [row.url for row in rows]
    assert [row.n for row in rows] == n.normalize_batch(given).values
    keys = n.fingerprint_batch(given, key=KEY).fingerprints
    assert [None if row.k is None else bytes(row.k) for row in rows] == keys
    assert [row.s for row in rows] == n.surt_batch(given).values


def test_spark_before_arrow_functions_gives_the_same(spark, monkeypatch):
    from pyspark.sql import functions

    from urlmill.spark import fingerprint, normalize

    df = spark.createDataFrame([("HTTP://A/?b&a",), (None,), ("x",)], "url string")

    def collected():
        return df.select(normalize("url"), fingerprint("url", key=KEY)).collect()

    by_arrow = [tuple(row) for row in collected()]
    monkeypatch.delattr(functions, "arrow_udf", raising=False)
    assert [tuple(row) for row in collected()] == by_arrow
    assert by_arrow[0][0] == "http://a/?a&b"


def test_columns_are_named_for_what_they_hold(table):
    from urlmill.spark import fingerprint, normalize, surt

    columns = table.select(normalize("url"), fingerprint("url", key=KEY), surt("url")).columns
    assert columns == ["url_normalize(url)", "url_key(url)", "url_surt(url)"]


def test_sql_has_the_functions_after_they_are_registered(spark):
    from urlmill.spark import register

    register(spark)
    register(spark, preset="safe", key=KEY)
    row = spark.sql(
        "SELECT url_normalize(u) AS n, url_key(u) AS k, url_surt(u) AS s FROM VALUES ('HTTP://A.b/#c') t(u)"
    ).first()
    n = Normalizer("safe")
    assert row.n == "http://a.b/#c"
    assert bytes(row.k) == n.fingerprint_batch(["http://a.b/#c"], key=KEY).fingerprints[0]
    assert row.s == n.surt("http://a.b/#c")


def test_sql_has_functions_of_two_presets_with_statuses_and_errors(spark):
    from urlmill.spark import error, register, status

    register(spark, preset="safe", prefix="safe_", errors="keep")
    register(spark)
    rows = spark.sql(
        "SELECT safe_normalize(u), url_normalize(u), url_status(u), url_error(u) FROM "
        "VALUES ('HTTP://A/#b'), ('x'), (NULL) t(u)"
    ).collect()
    assert [tuple(row) for row in rows] == [
        ("http://a/#b", "http://a/", 1, None),
        ("x", None, 3, "NO_SCHEME"),
        (None, None, None, None),
    ]
    df = spark.createDataFrame([("x",), ("http://a/",)], ["url"])
    columns = [status("url").alias("s"), error("url").alias("e")]
    assert [tuple(row) for row in df.select(*columns).collect()] == [(3, "NO_SCHEME"), (0, None)]


def test_a_function_of_columns_that_is_registered_itself_says_what_to_call(spark):
    from pyspark.errors import PythonException

    from urlmill.spark import normalize

    spark.udf.register("wrong", normalize)
    with pytest.raises(PythonException, match=r"call urlmill\.spark\.register\(spark\)"):
        spark.sql("SELECT wrong('http://a')").collect()


def test_dedupe_keeps_the_first_row_of_an_order(spark):
    from pyspark.sql import functions as f

    from urlmill.spark import dedupe

    rows = [("http://a/", None), ("HTTP://A", "b"), ("http://a", "c"), ("http://b/", None)]
    df = spark.createDataFrame(rows, "url string, day string")
    orders = {
        "c": [f.col("day").desc(), f.desc("day"), f.desc_nulls_last("day")],
        "b": ["day", f.col("day"), f.col("day").asc_nulls_last(), f.lower("day")],
        None: [f.col("day").asc(), f.col("day").desc_nulls_first()],
    }
    for day, some in orders.items():
        for order in some:
            kept = {
                row.url.lower().rstrip("/"): row.day for row in dedupe(df, keep=order).collect()
            }
            assert kept == {"http://a": day, "http://b": None}, order


def test_each_row_has_a_base_of_its_own(spark):
    from pyspark.sql import functions as f

    from urlmill.spark import dedupe, error, fingerprint, normalize, register, status, surt

    rows = [
        ("../x", "http://a/b/c"),
        ("//d/?b&a#c", "https://e/"),
        ("y", None),
        ("http://f", None),
        ("z", "not a base"),
        (None, "http://a/"),
        ("/x", "http://a/q"),
        ("#top", "http://a/x?y"),
    ]
    df = spark.createDataFrame(rows, "href string, page string").repartition(1)
    columns = [
        call("href", base="page").alias(name)
        for name, call in {"n": normalize, "s": status, "e": error, "t": surt}.items()
    ]
    columns.append(fingerprint("href", base=f.col("page"), key=KEY).alias("k"))
    found = {(row.href, row.page): row for row in df.select("*", *columns).collect()}
    n = Normalizer("crawl")
    for href, page in rows:
        row, expected = found[href, page], n.try_normalize(href, page)
        assert row.n == expected.url
        assert row.s == (None if href is None else expected.status)
        assert row.e == (None if href is None or expected else expected.status.name)
        assert row.t == (n.surt(expected.url) if expected else None)
        keys = n.fingerprint_batch([expected.url], key=KEY).fingerprints
        assert (None if row.k is None else bytes(row.k)) == keys[0]
    kept = df.select(normalize("href", base="page", errors="keep").alias("n")).collect()
    assert {row.n for row in kept} >= {"y", "z", "http://f/"}
    register(spark)
    by_sql = df.selectExpr("url_normalize(href, page) AS n", "url_normalize(href) AS m").collect()
    assert {row.n for row in by_sql} == {row.n for row in found.values()}
    assert {row.m for row in by_sql} == {None, "http://f/"}
    assert dedupe(df, "href", base="page").count() == len(rows) - 1


def test_dedupe_keeps_one_row_of_each_key_and_other_rows_without_one(table, some_urls):
    from urlmill.spark import dedupe

    kept = dedupe(table).collect()
    values = Normalizer("crawl").normalize_batch(some_urls).values
    without = [url for url, value in zip(some_urls, values, strict=True) if value is None]
    keys = {value for value in values if value is not None}
    assert len(kept) == len(keys) + len(without) + 3
    assert sorted(row.id for row in kept if row.id < 0) == [-3, -2, -1]


@pytest.mark.skipif(not MAIN.exists() or shutil.which("node") is None, reason="no build for Node")
def test_dedupe_gives_the_keys_of_the_command_line(spark, tmp_path):
    from urlmill.spark import dedupe, normalize

    rows = 1_000_000 if os.environ.get("URLMILL_LONG") == "1" else 20_000
    make_list = ROOT / "test" / "proofs" / "make-list.mjs"
    subprocess.run(["node", make_list, str(rows), tmp_path / "list.txt"], cwd=ROOT, check=True)
    command = ["node", MAIN, "normalize", "--preset", "crawl", "--on-error", "empty", "list.txt"]
    lines = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True).stdout
    keys = sorted({line for line in lines.decode().split("\n") if line})
    links = spark.read.text(str(tmp_path / "list.txt"))
    kept = dedupe(links, "value").select(normalize("value").alias("key")).where("key IS NOT NULL")
    assert sorted(row.key for row in kept.collect()) == keys


def test_dedupe_sends_keys_alone_to_python_and_sorts_nothing(spark):
    from urlmill.spark import dedupe

    df = spark.createDataFrame([("http://a/", 1, "b")], "url string, n int, t string")
    plan = dedupe(df)._jdf.queryExecution().executedPlan().toString()
    assert "Sort" not in plan
    assert plan.count("Exchange") == 1
    sent = re.findall(r"EvalPython \[(\w+)\((?:cast\()?([^)#]*)", plan)
    assert sent == [("is_first_row", "fingerprint"), ("first_key", "url")]


def test_rows_that_are_kept_do_not_depend_on_what_is_asked_of_them(spark):
    from pyspark.sql import functions as f

    from urlmill.spark import dedupe

    rows = [(f"HTTP://a/{at % 500}", at) for at in range(5_000)]
    kept = dedupe(spark.createDataFrame(rows, "url string, n int").coalesce(1))
    few, others = kept.where("n >= 500"), kept.where("n < 500")
    assert few.count() + others.count() == kept.count() == 500
    assert kept.agg(f.countDistinct("url")).first()[0] == 500


def test_the_url_can_be_what_another_function_of_python_makes(spark):
    from pyspark.sql import functions as f

    from urlmill.spark import dedupe, normalize

    rows = [("http://a/b", 1), ("HTTP://A/b?utm_source=x", 2), ("x", 3), ("x", 3), (None, 4)]
    df = spark.createDataFrame(rows, "url string, n int")
    kept = dedupe(df, url=normalize("url", errors="keep"))
    assert sorted(row.n for row in kept.collect()) in ([1, 3, 4], [2, 3, 4])
    kept = dedupe(df, url=f.upper("url"), preset="safe")
    assert sorted(row.n for row in kept.collect()) == [1, 2, 3, 4]


def test_learned_rules_are_read_from_a_file(spark, tmp_path):
    from urlmill.spark import dedupe, register

    (tmp_path / "rules.tsv").write_text("#urlmill-rules 1\na.org\t*\tdrop sid\n")
    df = spark.createDataFrame([("http://a.org/?sid=1",), ("http://a.org/?sid=2",)], ["url"])
    assert dedupe(df, rules=tmp_path / "rules.tsv").count() == 1
    register(spark, rules=tmp_path / "rules.tsv")
    assert (
        spark.sql("SELECT url_normalize('http://a.org/?sid=1') AS u").first().u == "http://a.org/"
    )


# A process of its own, as a restart is.
_STREAM = """
import sys
from pathlib import Path
from pyspark.sql import SparkSession
from urlmill.spark import dedupe

folder, key = Path(sys.argv[1]), sys.argv[2].encode()
builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
spark = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
lines = spark.readStream.text(str(folder / "in"))
sink = dedupe(lines, "value", key=key).writeStream.format("text").outputMode("append")
sink = sink.option("checkpointLocation", str(folder / "state")).trigger(availableNow=True)
sink.start(str(folder / "out")).awaitTermination()
"""


def test_a_stream_goes_on_after_a_restart_from_its_checkpoint(tmp_path):
    (tmp_path / "in").mkdir()

    def run_stream(name, text):
        (tmp_path / "in" / name).write_text(text)
        environment = {**os.environ, "PYTHONPATH": SOURCE, "PYSPARK_PYTHON": sys.executable}
        command = [sys.executable, "-c", _STREAM, str(tmp_path), KEY.decode()]
        done = subprocess.run(command, env=environment, check=False, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()[-3000:]
        return written(tmp_path / "out")

    first = run_stream("1.txt", "http://a/\nHTTP://A\nx\n")
    assert len(first) == 2
    assert run_stream("2.txt", "http://a\nx\nhttp://b/\n") == sorted([*first, "http://b/"])


@pytest.fixture
def stream(spark, tmp_path):
    (tmp_path / "in").mkdir()
    lines = '{"url":"http://a/","day":1}\n{"url":"http://A","day":2}\n'
    (tmp_path / "in" / "1.json").write_text(lines)
    return spark.readStream.schema("url string, day int").json(str(tmp_path / "in"))


def test_a_stream_without_a_key_is_refused_with_the_line_that_makes_one(
    stream, tmp_path, monkeypatch
):
    from urlmill.spark import dedupe

    with pytest.raises(OptionError) as caught:
        dedupe(stream)
    assert caught.value.code == "BAD_OPTION"
    made, given = re.search("once with (.*), and give key=(.*)$", str(caught.value)).groups()
    monkeypatch.chdir(tmp_path)
    assert eval(made, {"os": os}) == 16
    assert dedupe(stream, key=eval(given)).isStreaming
    with pytest.raises(FileExistsError):
        eval(made, {"os": os})


def test_what_no_stream_can_do_is_refused_by_name(spark, stream):
    from pyspark.sql import functions as f

    from urlmill.spark import dedupe

    for keep in ("day", f.col("day").desc()):
        with pytest.raises(OptionError, match=r"keep: only \"any\".*foreachBatch"):
            dedupe(stream, keep=keep, key=KEY)
    with pytest.raises(OptionError, match=r"seen: is a stream.*spark.read"):
        dedupe(stream, key=KEY, seen=dedupe(stream, key=KEY, with_key=True))
    with_map = stream.withColumn("m", f.create_map("url", "day"))
    with pytest.raises(OptionError, match=r"df: has a column of maps.*F\.to_json"):
        dedupe(with_map, key=KEY)
    assert dedupe(with_map.withColumn("m", f.to_json("m")), key=KEY).isStreaming


def test_batches_of_a_stream_that_come_again_give_the_same(spark, stream, tmp_path):
    from urlmill.spark import KEY as COLUMN
    from urlmill.spark import dedupe

    folder = tmp_path / "tables"
    (folder / "seen").mkdir(parents=True)
    fails = [True]

    def write(batch, number):
        seen = spark.read.schema("fingerprint binary, batch long").parquet(f"{folder}/seen")
        seen = seen.where(f"batch < {number}")
        kept = dedupe(batch, keep="day", key=KEY, seen=seen, with_key=True).persist()
        kept.drop(COLUMN).write.mode("overwrite").parquet(f"{folder}/new/batch={number}")
        kept.select(COLUMN).write.mode("overwrite").parquet(f"{folder}/seen/batch={number}")
        kept.unpersist()
        if fails.pop():
            raise RuntimeError("before Spark has noted that the batch is done")

    def run_stream():
        sink = stream.writeStream.foreachBatch(write).trigger(availableNow=True)
        sink.option("checkpointLocation", f"{folder}/state").start().awaitTermination()

    with pytest.raises(Exception, match="before Spark has noted"):
        run_stream()
    fails.append(False)
    run_stream()
    (tmp_path / "in" / "2.json").write_text(
        '{"url":"http://a","day":0}\n{"url":"http://b","day":0}\n'
    )
    fails.append(False)
    run_stream()
    rows = spark.read.parquet(f"{folder}/new").select("url", "day").collect()
    assert sorted(map(tuple, rows)) == [("http://a/", 1), ("http://b", 0)]


def test_dedupe_keeps_the_smallest_row(spark):
    from urlmill.spark import dedupe

    rows = [("http://a/", None), ("HTTP://A", 2), ("http://a", 1), ("http://b/", None)]
    df = spark.createDataFrame(rows, "url string, day int")
    kept = sorted(tuple(row) for row in dedupe(df, keep="day").collect())
    assert kept == [("http://a", 1), ("http://b/", None)]


def test_dedupe_leaves_out_what_was_seen(spark):
    from urlmill.spark import KEY as COLUMN
    from urlmill.spark import dedupe

    first = spark.createDataFrame([("http://a/?b&a",), ("http://b/",), ("x",)], ["url"])
    second = spark.createDataFrame([("http://a/?a&b",), ("http://c/",), ("x",)], ["url"])
    seen = dedupe(first, key=KEY, with_key=True).select(COLUMN)
    kept = dedupe(second, key=KEY, seen=seen).collect()
    assert sorted(row.url for row in kept) == ["http://c/"]
    with pytest.raises(OptionError, match="key"):
        dedupe(second, seen=seen)


@pytest.mark.skipif(not MAIN.exists() or shutil.which("node") is None, reason="no build for Node")
def test_a_list_keeps_the_texts_that_the_command_line_keeps(spark, tmp_path, some_urls):
    from urlmill.spark import dedupe

    texts = [b"x", b"", b" x", b"x ", b"\xff", b"\xfe", b"\xc3\xbc", b"a\tb", b"long " * 300_000]
    lines = [
        *texts,
        *(url.encode() for url in some_urls[:500] if "\n" not in url and "\r" not in url),
    ]
    (tmp_path / "list.txt").write_bytes(b"\n".join([*lines, *lines]) + b"\n")
    command = ["node", MAIN, "dedupe", "--preset", "crawl", tmp_path / "list.txt"]
    expected = subprocess.run(command, check=True, capture_output=True).stdout
    # A line that ends at CR LF or CR ends there for Spark.
    links = spark.read.option("lineSep", "\n").text(str(tmp_path / "list.txt"))
    kept = dedupe(links, "value").selectExpr("CAST(value AS BINARY) AS value").collect()
    n = Normalizer("crawl")

    def keys(some):
        return sorted(n.try_normalize(bytes(line)).url or repr(bytes(line)) for line in some)

    assert keys(row.value for row in kept) == keys(expected.removesuffix(b"\n").split(b"\n"))


def test_rows_without_a_url_are_compared_as_a_whole(spark):
    from urlmill.spark import dedupe

    rows = [(3, "N/A"), (4, "N/A"), (4, "N/A"), (4, None), (4, None), (None, None), (None, "")]
    df = spark.createDataFrame([*rows, (5, "http://a"), (6, "HTTP://A/")], "id int, url string")
    kept = [tuple(row) for row in dedupe(df, keep="id").collect()]
    assert sorted(kept, key=str) == sorted({*rows, (5, "http://a")}, key=str)
    seen = dedupe(df, key=KEY, with_key=True).select("fingerprint")
    assert seen.where("fingerprint IS NULL").count() == 0
    again = spark.createDataFrame([*rows, (7, "N/A")], "id int, url string")
    assert [tuple(row) for row in dedupe(again, key=KEY, seen=seen).collect()] == [(7, "N/A")]


def test_values_of_every_type_are_compared_and_maps_are_not(spark):
    from urlmill.spark import dedupe

    pieces = [
        "array('a', 'b')",
        "array('a,b')",
        "array('a', null)",
        "array(null, 'a')",
        "CAST(array() AS array<string>)",
        "array('')",
        "CAST(null AS array<string>)",
        "array('=61')",
    ]
    rows = " UNION ALL ".join(
        f"SELECT 'x' AS url, {piece} AS a, named_struct('b.c', {piece}, 'd', null) AS s"
        for piece in [*pieces, *pieces]
    )
    assert dedupe(spark.sql(rows)).count() == len(pieces)
    values = [
        ("CAST('nan' AS double)", "0.1D"),
        ("X'FF'", "X'FE'"),
        ("TIMESTAMP '2024-01-01 00:00:00.000001'", "TIMESTAMP '2024-01-01 00:00:00.000002'"),
        # One hour that comes twice in New York.
        ("timestamp_seconds(1730611800)", "timestamp_seconds(1730615400)"),
        ("TIMESTAMP_NTZ '2024-01-01 00:00:00.1'", "TIMESTAMP_NTZ '2024-01-01 00:00:00.11'"),
        ("DATE '2024-01-01'", "DATE '2024-01-02'"),
        ("1.10", "1.11"),
        ("named_struct('p', null)", "null"),
        ("true", "false"),
        ("INTERVAL '1' DAY", "INTERVAL '2' DAY"),
    ]
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    try:
        for one, other in values:
            rows = " UNION ALL ".join(
                f"SELECT CAST(null AS string) AS url, {value} AS v" for value in (one, other, one)
            )
            assert dedupe(spark.sql(rows)).count() == 2, one
    finally:
        spark.conf.unset("spark.sql.session.timeZone")
    maps = "SELECT 'x' AS url, map('a', 1) AS m UNION ALL SELECT 'x', map('a', 1)"
    assert dedupe(spark.sql(maps)).count() == 2
    nested = "SELECT 'x' AS url, array(map('a', 1)) AS m UNION ALL SELECT 'x', array(map('a', 1))"
    assert dedupe(spark.sql(nested)).count() == 2


def test_the_plan_of_a_query_does_not_show_the_key(spark):
    from urlmill.spark import dedupe

    df = dedupe(spark.createDataFrame([(1, "x")], "id int, url string"), key=KEY)
    plan = df._jdf.queryExecution().toString()
    assert "sha2" in plan
    assert KEY.decode() not in plan
    assert KEY.hex().upper() not in plan.upper()


def test_the_command_dedupes_day_by_day(tmp_path):
    days = {
        "monday": ["HTTP://A/?b&a", "http://b/", "x", "x"],
        "tuesday": ["http://a/?a&b", "x", "http://c/"],
    }
    for day, lines in days.items():
        (tmp_path / f"{day}.txt").write_text("\n".join(lines))
        run(
            tmp_path,
            f"{day}.txt",
            f"{day}-out",
            "--format",
            "text",
            "--seen",
            "keys",
            "--key-file",
            "key",
        )
    assert written(tmp_path / "monday-out") == ["HTTP://A/?b&a", "http://b/", "x"]
    assert written(tmp_path / "tuesday-out") == ["http://c/"]
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0


@pytest.mark.skipif(not MAIN.exists() or shutil.which("node") is None, reason="no build for Node")
def test_evidence_that_executors_count_gives_the_rules_of_one_list(spark, tmp_path):
    pages = [
        json.dumps({"url": f"http://a.org/?t={at % 60}{session}", "fp": f"cls:{at % 60}"})
        for at in range(600)
        for session in ("", f"&sid={at}")
    ]
    (tmp_path / "crawl.jsonl").write_text("\n".join(pages))
    learn(tmp_path, "mine", "crawl.jsonl", "-o", "candidates.tsv")
    learn(tmp_path, "count", "--rules", "candidates.tsv", "crawl.jsonl", "-o", "whole.evidence")
    whole = learn(tmp_path, "select", "whole.evidence")
    command = f"node {MAIN} learn count --format jsonl --rules {tmp_path}/candidates.tsv"
    lines = spark.sparkContext.textFile(str(tmp_path / "crawl.jsonl"), 3)
    lines.pipe(command).saveAsTextFile(str(tmp_path / "evidence"))
    parts = sorted(str(part) for part in (tmp_path / "evidence").glob("part-*"))
    assert len(parts) == 3
    assert b"drop sid" in whole
    assert learn(tmp_path, "select", *parts) == whole


def learn(folder, *arguments):
    command = ["node", str(MAIN), "learn", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout


def test_the_command_says_what_is_missing(tmp_path):
    assert run(tmp_path, "a", "b", "--seen", "keys", check=False).returncode == 2


def run(folder, *arguments, check=True):
    environment = {**os.environ, "PYTHONPATH": SOURCE, "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, "-m", "urlmill.spark", "dedupe", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, check=check, capture_output=True)


def written(folder):
    return sorted(
        line for file in folder.glob("part-*") for line in file.read_text().split("\n") if line
    )
