"""`dedupe --keep` without Node writes the records that the command of Node writes."""

import datetime
import decimal
import gzip
import json
import os
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from test_command import node, python

URLS = ["HTTP://A", "http://a/", "http://b/?x=1", "http://c", "HTTP://C:80/", "no url", "", "x y"]
VALUES = [
    "",
    "9",
    "10",
    "-3",
    "+10",
    "1e3",
    ".5",
    "007",
    "2024-01-05",
    "2024-03-01",
    "ü",
    "12345678901234567890",
    "12345678901234567891",
    "x10",
    "nan",
    "1_0",
    " 4",
    "1e999",
]
KEEPS = ["first", "last", "max:n", "min:n", "max:m"]
ROWS = 30_000 if os.environ.get("URLMILL_LONG") == "1" else 600


def same(folder: Path, *call: str, data: bytes = b"", code: int = 0) -> None:
    given, expected = (each(*call, cwd=folder, data=data) for each in (python, node))
    assert given.stdout == expected.stdout, call
    assert given.returncode == expected.returncode == code, (call, given.stderr)


def pairs(rng: random.Random, rows: int) -> "list[tuple[str, str, str]]":
    return [(rng.choice(URLS), rng.choice(VALUES), rng.choice(VALUES)) for _ in range(rows)]


@pytest.mark.parametrize("keep", KEEPS)
def test_csv_keeps_what_node_keeps(keep: str, tmp_path: Path) -> None:
    rng = random.Random(keep)
    rows = [*map(",".join, pairs(rng, ROWS)), "http://a", "http://a,1,2,3", '"x,1']
    (tmp_path / "a.csv").write_text("url,n,m\n" + "\n".join(rows))
    for call in (["a.csv"], ["--emit", "both", "a.csv"], ["--base", "http://b/", "a.csv"]):
        # The last quote is not closed.
        same(tmp_path, "dedupe", "-p", "crawl", "--keep", keep, *call, code=1)
    if keep.startswith("min"):
        same(tmp_path, "dedupe", "--no-header", "--field", "1", "--keep", "min:2", "a.csv", code=1)
        same(tmp_path, "dedupe", "--keep", "min:2", "a.csv", code=1)


@pytest.mark.parametrize("keep", [*KEEPS, "max:o.n", "min:o.list.1"])
def test_json_keeps_what_node_keeps(keep: str, tmp_path: Path) -> None:
    rng = random.Random(keep)
    values: list[Any] = [None, True, False, 1, 2.5, -3, 10**30, {}, [], *VALUES]

    def row() -> str:
        n, m = rng.choice(values), rng.choice(values)
        whole = {"url": rng.choice([*URLS, 5]), "n": n, "m": m, "o": {"n": m, "list": [m, n]}}
        return json.dumps(
            {key: whole[key] for key in rng.sample(sorted(whole), rng.choice([3, 4]))}
        )

    lines = [row() for _ in range(ROWS)]
    lines += [
        "not json",
        "",
        '{"url":"HTTP://A","n":1,"n":"\\u00ff"}',
        '{"url":"http://b","n":NaN}',
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    for call in (["a.jsonl"], ["--emit", "normalized", "a.jsonl"], ["--field", "n", "a.jsonl"]):
        same(tmp_path, "dedupe", "--keep", keep, *call)


def test_the_last_line_of_a_pipe_is_kept(tmp_path: Path) -> None:
    data = "\n".join(url for url, _, _ in pairs(random.Random(1), ROWS)).encode()
    for given in (data, gzip.compress(data)):
        same(tmp_path, "dedupe", "--keep", "last", "--format", "lines", data=given)


def test_real_urls_keep_their_last_lines(corpus: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(corpus)
    same(tmp_path, "dedupe", "-p", "aggressive", "--keep", "last", "a.txt")


def test_parquet_keeps_what_node_keeps(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rng = random.Random(39)
    day = datetime.datetime(2024, 1, 1)
    hours = [None, *(day + datetime.timedelta(hours=at) for at in range(-9, 40))]
    numbers = [None, 0, -1, 9, 10, 2**31 - 1]
    columns: dict[str, Any] = {
        "i": pa.array(rng.choices(numbers, k=ROWS), pa.int32()),
        "u": pa.array(rng.choices([None, 2**63, 2**63 + 1, 5], k=ROWS), pa.uint64()),
        "f": pa.array(rng.choices([None, float("nan"), 1e30, -2.5, float("inf")], k=ROWS)),
        "f32": pa.array(rng.choices([None, 0.1, -2.5, float("-inf")], k=ROWS), pa.float32()),
        "d": pa.array(
            rng.choices([None, *map(decimal.Decimal, ["1.10", "-3.00", "20.5"])], k=ROWS),
            pa.decimal128(20, 2),
        ),
        "t": pa.array(rng.choices(hours, k=ROWS), pa.timestamp("us")),
        "day": pa.array(rng.choices(hours, k=ROWS), pa.date32()),
        "clock": pa.array(
            rng.choices([None, datetime.time(1), datetime.time(9)], k=ROWS), pa.time32("ms")
        ),
        "s": pa.array(rng.choices([None, *VALUES], k=ROWS)),
        "b": pa.array(rng.choices([None, b"\xff", b"a", b""], k=ROWS), pa.binary()),
        "is": pa.array(rng.choices([None, True, False], k=ROWS)),
        "c": pa.array(rng.choices([None, *VALUES], k=ROWS)).dictionary_encode(),
    }
    table = pa.table({"url": rng.choices([*URLS, None], k=ROWS), **columns})
    table = table.append_column(
        "o", pa.StructArray.from_arrays([table["i"].combine_chunks()], names=["x.y"])
    )
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=ROWS // 3)
    keeps = [
        "last",
        *(f"{which}:{name}" for name in [*columns, "o.x.y"] for which in ("max", "min")),
    ]
    for keep in keeps:
        tables = []
        for each in (python, node):
            done = each("dedupe", "--keep", keep, "a.parquet", "-o", "b.parquet", cwd=tmp_path)
            assert done.returncode == 0, (keep, done.stderr)
            tables.append(repr(pq.read_table(tmp_path / "b.parquet").to_pylist()))
        assert tables[0] == tables[1], keep


@pytest.mark.parametrize(
    ("call", "data"),
    [
        (["--keep", "newest", "a.csv"], b"url,n\nHTTP://A,1\n"),
        (["--keep", "max:", "a.csv"], b"url,n\nHTTP://A,1\n"),
        (["--keep", "max:date", "a.csv"], b"url,n\nHTTP://A,1\n"),
        (["--keep", "max:n", "a.csv"], b"url,n\nHTTP://A,\n"),
        (["--keep", "max:n", "--no-header", "--field", "1", "a.csv"], b"HTTP://A,1\n"),
        (["--keep", "min:date", "a.jsonl"], b'{"url":"HTTP://A"}\n'),
        (["--keep", "max:n", "a.parquet", "-o", "b.parquet"], b""),
        (["--keep", "max:l.list.element", "a.parquet", "-o", "b.parquet"], b""),
        (["--keep", "max:h", "a.parquet", "-o", "b.parquet"], b""),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else "",
)
def test_a_wrong_keep_is_refused_as_node_does(call: list[str], data: bytes, tmp_path: Path) -> None:
    if "a.parquet" in call:
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        halves = pa.array([1.0], pa.float32()).cast(pa.float16())
        pq.write_table(pa.table({"url": ["x"], "l": [[1]], "h": halves}), tmp_path / "a.parquet")
    else:
        (tmp_path / next(part for part in call if part.startswith("a."))).write_bytes(data)
    given, expected = (each("dedupe", *call, cwd=tmp_path) for each in (python, node))
    assert (given.returncode, given.stdout) == (2, b"")
    assert given.stderr == expected.stderr
    assert not (tmp_path / "b.parquet").exists()


def test_lines_have_no_column_to_keep_by(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"HTTP://A\n")
    for each in (python, node):
        done = each("dedupe", "--keep", "max:n", "a.txt", cwd=tmp_path)
        assert done.returncode == 2
        assert b"--keep max:n: field needs a format with fields" in done.stderr


def test_a_file_that_changes_between_its_readings_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from urlmill._cli import keeping, main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_bytes(b"HTTP://A\n")
    (tmp_path / "out.txt").write_bytes(b"as it was")
    choose = keeping.Keeping.choose

    def changed(self: keeping.Keeping) -> None:
        (tmp_path / "a.txt").write_bytes(b"HTTP://A\nhttp://b/\n")
        choose(self)

    monkeypatch.setattr(keeping.Keeping, "choose", changed)
    assert main(["dedupe", "--keep", "last", "a.txt", "-o", "out.txt"]) == 1
    assert "INPUT_CHANGED" in capsys.readouterr().err
    assert (tmp_path / "out.txt").read_bytes() == b"as it was"


@pytest.mark.skipif(sys.platform == "win32", reason="sets on disk need flock")
@pytest.mark.parametrize("flags", [[], ["--keep", "last"], ["--seen", "set", "--store", "disk"]])
def test_a_record_of_more_than_4_mib_without_a_url_stays(flags: list[str], tmp_path: Path) -> None:
    for more in (0, 1):
        long = "y" * ((1 << 22) + more)
        lists = {
            "a.txt": long,
            "a.jsonl": json.dumps({"url": long[11:] if more == 0 else long}),
            "a.csv": f"1,{long[2:] if more == 0 else long}",
        }
        for name, text in lists.items():
            field = ["--no-header", "--field", "3"] if name == "a.csv" else []
            (tmp_path / name).write_text(f"{text}\n" * 2)
            outputs = []
            for each in (python, node):
                shutil.rmtree(tmp_path / "set", ignore_errors=True)
                outputs.append(each("dedupe", *flags, *field, name, cwd=tmp_path).stdout)
            assert len(outputs[0]) == len(outputs[1]) == (1 + more) * (len(text) + 1), name
