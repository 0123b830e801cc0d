"""The ways to `urlmill learn` that docs/python-spark-duckdb-clickhouse.md names give the same rules."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from urlmill import Normalizer

MAIN = Path(__file__).parents[2] / "dist" / "cli" / "main.js"
PAGES = [(f"http://a.org/?t={at // 2}&sid={at}", at // 2) for at in range(60)]

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not MAIN.is_file(),
    reason="node, or the build of the Node package to compare with, is missing",
)


def learned(folder: Path, name: str) -> str:
    command = ["node", str(MAIN), "learn", name, "-o", "rules.tsv"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    n = Normalizer("crawl", rules=folder / "rules.tsv")
    assert n.normalize("http://a.org/?t=99&sid=7") == "http://a.org/?t=99"
    return (folder / "rules.tsv").read_text()


def test_a_table_of_arrow_and_records_of_an_archive_give_the_same_rules(tmp_path: Path) -> None:
    pa, csv = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.csv")
    urls, classes = zip(*PAGES, strict=True)
    table = pa.table({"n": classes, "url": urls, "fp": [f"cls:{page}" for page in classes]})
    csv.write_csv(table.select(["url", "fp"]), tmp_path / "pages.csv")
    digests = [{"url": url, "fp": f"raw:sha1:{page:032d}"} for url, page in PAGES]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, digests)))
    assert learned(tmp_path, "pages.csv") == learned(tmp_path, "pages.jsonl")


def test_parquet_is_not_read(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"url": ["http://a/"]}), tmp_path / "a.parquet")
    command = ["node", str(MAIN), "learn", "a.parquet"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True)
    assert (done.returncode, b"arquet" in done.stderr) == (1, True), done
