"""`dedupe --seen DIR` without Node: one set on disk, which the command of Node goes on with."""

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_command import CSV, JSON, LINES, ROOT, node, python
from test_keep import pairs

from urlmill import SeenSet
from urlmill._cli import main
from urlmill._disk import DiskStore

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sets on disk need flock")
LISTS = {"list.txt": LINES + b"\n\xff\xfe z\n", "list.csv": CSV, "list.jsonl": JSON}
MADE: list[list[str]] = [["-p", "crawl"], ["--form", "host"], ["--form", "urlkey", "-p", "crawl"]]


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("options", MADE, ids=" ".join)
def test_each_command_goes_on_with_the_set_of_the_other(
    options: list[str], name: str, tmp_path: Path
) -> None:
    lines = LISTS[name].splitlines(True)
    (tmp_path / f"some-{name}").write_bytes(b"".join(lines[: len(lines) // 2]))
    (tmp_path / name).write_bytes(LISTS[name])
    both = (python, ["--seen", "a"]), (node, ["--seen", "b", "--store", "disk"])
    call = ["dedupe", *options]
    first, expected = (
        each(*call, *flags, f"some-{name}", cwd=tmp_path).stdout for each, flags in both
    )
    assert first == expected
    rest = python(*call, "--seen", "b", name, cwd=tmp_path).stdout
    assert rest == node(*call, "--seen", "a", name, cwd=tmp_path).stdout
    assert first not in ("", rest)
    # All keys are there: those that each has written are those of the other.
    nothing = node(*call, "--seen", "b", name, cwd=tmp_path).stdout
    assert nothing == python(*call, "--seen", "a", name, cwd=tmp_path).stdout
    assert len(nothing) < len(rest)
    if name == "list.txt":
        assert nothing == b""


@pytest.mark.parametrize("keep", ["last", "max:n", "min:n"])
def test_rows_of_earlier_runs_are_left_out_whatever_their_value(keep: str, tmp_path: Path) -> None:
    chance = random.Random(keep)
    call = ["dedupe", "--keep", keep, "-p", "crawl"]
    for run, rows in enumerate((5, 60)):
        text = "url,n,m\n" + "\n".join(map(",".join, pairs(chance, rows))) + "\nhttp://a,1\n"
        (tmp_path / "a.csv").write_text(text + f"http://run/{run},3,4\n")
        given = python(*call, "--seen", "a", "a.csv", cwd=tmp_path)
        expected = node(*call, "--seen", "b", "--store", "disk", "a.csv", cwd=tmp_path)
        assert (given.returncode, given.stdout) == (0, expected.stdout)
        assert b"http://run/%d" % run in given.stdout
    assert node("dedupe", "--seen", "a", "a.csv", cwd=tmp_path).stdout == b"url,n,m\n"


def test_long_texts_are_remembered_as_node_does(tmp_path: Path) -> None:
    """More than 4 MiB are not: such a line comes again."""
    (tmp_path / "a.txt").write_bytes(b"x " * (3 << 19) + b"\nhttp://a/\n" + b"y " * (5 << 19))
    first = python("dedupe", "--seen", "s", "a.txt", cwd=tmp_path)
    assert len(first.stdout) > 8 << 20
    assert (
        python("dedupe", "--seen", "s", "a.txt", cwd=tmp_path).stdout == b"y " * (5 << 19) + b"\n"
    )
    again = node("dedupe", "--seen", "s", "a.txt", cwd=tmp_path).stdout
    assert again.rstrip(b"\n") == b"y " * (5 << 19)


def test_a_run_without_options_takes_those_of_the_set(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(LINES)
    (tmp_path / "rules").write_text("#urlmill-rules 1\na\t*\tdrop x\n")
    made = ["-p", "crawl", "--sites", '{"b":{"fragment":"keep"}}', "--default-params", "a_b=1"]
    assert python("dedupe", *made, "--seen", "s", "a.txt", cwd=tmp_path).returncode == 0
    for each in (python, node):
        done = each("dedupe", "--seen", "s", "a.txt", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, b"")
        other = each("dedupe", "-p", "safe", "--seen", "s", "a.txt", cwd=tmp_path)
        assert (other.returncode, other.stdout) == (1, b"")
        assert b"s was written with other options: " in other.stderr
    assert python("dedupe", "--rules", "rules", "--seen", "r", "a.txt", cwd=tmp_path).stdout != b""
    done = python("dedupe", "--seen", "r", "a.txt", cwd=tmp_path)
    assert (done.returncode, b"made with --rules: give --rules FILE" in done.stderr) == (2, True)
    assert python("dedupe", "--rules", "rules", "--seen", "r", "a.txt", cwd=tmp_path).stdout == b""


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> "list[str]":
    """List what a run does to its output and its set, in order."""
    done: list[str] = []

    def note(target: Any, name: str) -> None:
        real = getattr(target, name)

        def noted(*args: Any) -> Any:
            if "seen" not in str(args[0]):
                done.append(name)
            return real(*args)

        monkeypatch.setattr(target, name, noted)

    from urlmill._disk import files

    note(files, "sync_output")
    note(os, "replace")
    note(DiskStore, "add")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_bytes(LINES)
    return done


def test_keys_are_recorded_after_the_output_is_on_disk(
    steps: list[str], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    for output in ("b.txt", "b.txt.gz"):
        assert main(["dedupe", "--seen", f"seen-{output}", "a.txt", "-o", output]) == 0
        assert steps == ["sync_output", "replace", "add"]
        steps.clear()
    assert main(["dedupe", "--seen", "seen", "a.txt"]) == 0
    assert steps == ["sync_output", "add"]
    assert capfdbinary.readouterr().out == Path("b.txt").read_bytes()


def test_a_run_that_fails_records_nothing(
    steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    call = ["dedupe", "--seen", "seen", "a.txt", "-o", "b.txt"]
    with monkeypatch.context() as patched:
        patched.setattr("urlmill._disk.files.sync", fail)
        assert main(call) == 1
    assert "add" not in steps
    assert not Path("b.txt").exists()
    with monkeypatch.context() as patched:
        # A kill between the output and the set: its rows come again, and none is lost.
        patched.setattr(DiskStore, "add", fail)
        assert main(call) == 1
    whole = Path("b.txt").read_bytes()
    assert main(call) == 0
    assert Path("b.txt").read_bytes() == whole != b""
    assert main(call) == 0
    assert Path("b.txt").read_bytes() == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has /dev/full")
def test_an_output_that_cannot_be_written_records_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(LINES)
    assert python("dedupe", "--seen", "s", "a.txt", "-o", "/dev/full", cwd=tmp_path).returncode == 1
    reader, writer = os.pipe()
    os.close(reader)
    call = [sys.executable, "-m", "urlmill", "dedupe", "--seen", "s", "a.txt"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src")}
    with open(writer, "wb") as pipe:
        closed = subprocess.run(
            call, cwd=tmp_path, env=environment, stdout=pipe, stderr=subprocess.PIPE, check=False
        )
    assert closed.returncode == 0  # as the command of Node
    first = python("dedupe", "--seen", "s", "a.txt", cwd=tmp_path).stdout
    assert first == python("dedupe", "a.txt", cwd=tmp_path).stdout


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of the process is a full disk")
@pytest.mark.parametrize("output", [">> full", "-o /dev/fd/5 5>> full"])
def test_a_full_disk_leaves_whole_lines(output: str, tmp_path: Path) -> None:
    lines = b"".join(b"http://a.example/page-%d\n" % row for row in range(60_000))
    (tmp_path / "list").write_bytes(lines)
    (tmp_path / "full").write_bytes(b"torn")
    script = f"ulimit -f 1000; {sys.executable} -m urlmill dedupe --seen keys list {output}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src")}
    for limit in (script, script.partition("; ")[2]):
        subprocess.run(["sh", "-c", limit], cwd=tmp_path, env=environment, check=False)
        written = (tmp_path / "full").read_bytes()
        assert written.startswith(b"torn")
        assert written.endswith(b"\n")
        assert set(written[4:].splitlines()) <= set(lines.splitlines())
    assert written.endswith(lines)


def test_what_it_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (tmp_path / "a.txt").write_bytes(LINES)
    for folder, head in (("j", "set.json"), ("l", "data.mdb")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / head).touch()
    assert python("dedupe", "--seen", "s", "a.txt", cwd=tmp_path).returncode == 0
    for call, code, said in (
        (["--seen", "j"], 2, "no reader of j, which is a journal, not a set on disk"),
        (["--seen", "l"], 2, "no reader of l, which is a set in LMDB, not a set on disk"),
        (["--seen", "j"], 2, "npm install -g urlmill"),
        (["--store", "disk"], 2, "give --seen DIR, too"),
        (["--seen", "n", "--store", "lmdb"], 2, "no --store lmdb"),
        (["--seen", "s", "-o", "s/manifest"], 2, "read and written"),
        (["--seen", "n", "--format", "parquet", "-o", "b"], 2, "no --seen with Parquet"),
        (["--seen", "."], 1, "give a directory of the set's own"),
    ):
        done = python("dedupe", *call, "a.txt", cwd=tmp_path)
        assert (done.returncode, said in done.stderr.decode()) == (code, True), done.stderr
    with SeenSet.open(tmp_path / "s", store="disk", memory=1 << 24) as seen:
        assert len(seen) > 0
        done = python("dedupe", "--seen", "s", "a.txt", cwd=tmp_path)
        assert (done.returncode, b"SEEN_LOCKED" in done.stderr) == (1, True)
