"""Tables of CSV are read as by Node: test/fixtures/csv.json has the cases that both read."""

import json
from pathlib import Path
from typing import Any

import pytest
from test_command import ROOT, node, python

from urlmill._cli import csv_records
from urlmill._cli.csv_records import _record
from urlmill._cli.csv_table import Csv
from urlmill._cli.quotes import OpenQuotes

CASES: list[dict[str, Any]] = json.loads((ROOT / "test/fixtures/csv.json").read_text("utf-8"))


class Noted(OpenQuotes):
    """Notes doubtful quotes."""

    def __init__(self) -> None:
        super().__init__()
        self.is_silent = True
        self.noted: list[list[int | None]] = []

    def take(self, doubts: "list[tuple[int, int | None]]") -> str:
        self.noted += map(list, doubts)
        return super().take(doubts)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_table_is_read_as_its_rows(case: dict[str, Any]) -> None:
    text = "".join(row[0] for row in case["rows"]).encode()
    quotes = Noted()
    form = Csv(case.get("field", "1"), case.get("delimiter", ","), None, quotes=quotes)
    lines = [line for line in text.replace(b"\n", b"\n\0").split(b"\0") if line]
    rows = []
    for record in form.records(lines, "x"):
        row = (record.text + record.end).decode()
        url = None if record.url is None else record.url.decode()
        rows.append([row] if record.is_other else [row, url])
    expected = [
        [row[0] if row[0].endswith("\n") else row[0] + "\n", *row[1:]] for row in case["rows"]
    ]
    assert rows == expected
    assert quotes.noted == case["quotes"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_command_answers_as_that_of_node(case: dict[str, Any], tmp_path: Path) -> None:
    data = "".join(row[0] for row in case["rows"]).encode()
    (tmp_path / "list.csv").write_bytes(data)
    flags = ["--field", case.get("field", "1")]
    if "delimiter" in case:
        flags += ["--delimiter", case["delimiter"]]
    for call in (
        ["normalize", "--base", "http://b/", "--emit", "both"],
        ["normalize", "--on-error", "fail"],
        ["normalize", "--on-error", "empty"],
        ["dedupe"],
        ["dedupe", "--keep", "last"],
    ):
        given, expected = (each(*call, *flags, "list.csv", cwd=tmp_path) for each in (python, node))
        assert (given.returncode, given.stdout) == (expected.returncode, expected.stdout), call
        assert named(given.stderr) == named(expected.stderr), call


def named(text: bytes) -> list[str]:
    """Return what is said of quotes."""
    return [line for line in text.decode().splitlines() if "quote" in line]


class Counted(bytes):
    """Counts the bytes in which line ends were counted."""

    looked_at = 0

    def count(self, what: Any, start: Any = 0, end: Any = None) -> int:
        Counted.looked_at += len(self[start:end])
        return super().count(what, start, end)


def test_the_lines_of_a_record_with_many_cells_of_many_lines_are_counted_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def counted(*arguments: Any) -> Any:
        record, *others = _record(*arguments)
        return Counted(record), *others

    monkeypatch.setattr(csv_records, "_record", counted)
    lines = [b'"\n', *([b"\n"] * 1001 + [b'","\n']) * 100, b'"\n']
    ((record, doubts),) = csv_records.records_of(lines, b",")
    assert [line for line, _ in doubts] == list(range(1, 1002 * 100, 1002))
    assert Counted.looked_at <= 2 * len(record)
