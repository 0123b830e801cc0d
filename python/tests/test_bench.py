"""The bench."""

import gzip
from pathlib import Path

import pytest

from urlmill import bench


def test_the_bench_prints_a_row_a_package_and_names_the_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "_calls", lambda: {"pytest": lambda: str.upper, "none": fail})
    file = tmp_path / "urls.gz"
    file.write_bytes(gzip.compress(b"http://a/\nnothing\nHTTP://B\n"))
    bench.main([str(file)])
    said = capsys.readouterr().out
    assert "3 URLs of urls.gz" in said
    assert "urlmill, list to list" in said
    assert f"pytest {pytest.__version__}" in said
    assert "not installed, so not measured: none" in said


def fail() -> None:
    raise ModuleNotFoundError("none")


def test_a_file_that_is_missing_is_named() -> None:
    with pytest.raises(SystemExit, match="is missing: name a file"):
        bench.main(["nothing.txt"])
