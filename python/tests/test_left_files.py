"""Temporary files that killed runs left: the next run to the same output removes them, here and in Node."""

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from urlmill._cli.readings import readable_twice

ROOT = Path(__file__).parents[2]
NODE = ["node", str(ROOT / "dist" / "cli" / "main.js")]
PYTHON = [sys.executable, "-m", "urlmill"]
WRITERS = {
    "Python": [*PYTHON, "normalize", "--format", "lines", "-o"],
    "Node": [*NODE, "cdx", "merge", "-", "-o"],
}
LINE = b"a)/ 20200101000000 {}\n"

if os.name == "nt":
    pytest.skip("Windows has no fcntl: nothing is removed there", allow_module_level=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "outputs"
    path.mkdir()
    return path


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src"), **changes}


@contextmanager
def begun(writer: str, output: str, folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a command that has begun to write an output, and waits for more to read."""
    with subprocess.Popen(
        [*WRITERS[writer], output], cwd=folder, env=environment(), stdin=subprocess.PIPE
    ) as process:
        try:
            until = time.monotonic() + 60
            while not left(folder, process.pid, output) and time.monotonic() < until:
                time.sleep(0.01)
            assert left(folder, process.pid, output)
            yield process
        finally:
            process.kill()


def left(folder: Path, pid: int, output: str) -> list[str]:
    pattern = re.compile(rf"\.urlmill-locked-{pid}-[0-9a-f]{{8}}-.*{re.escape(output[-5:])}")
    return [file.name for file in folder.iterdir() if pattern.fullmatch(file.name)]


def write(writer: str, output: str, folder: Path, **changes: str) -> None:
    command = [*WRITERS[writer], output]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(**changes),
        input=LINE,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (folder / output).stat().st_size > 0


@pytest.mark.parametrize("output", ["out.txt", f"{'x' * 100}\u00fc{'y' * 100}.txt"])
@pytest.mark.parametrize(
    ("killed", "next_one"), [("Python", "Python"), ("Python", "Node"), ("Node", "Python")]
)
def test_the_next_run_removes_them(killed: str, next_one: str, output: str, folder: Path) -> None:
    with begun(killed, output, folder) as process:
        process.kill()
    write(next_one, f"b-{output}", folder)
    assert left(folder, process.pid, output)
    write(next_one, output, folder)
    assert {file.name for file in folder.iterdir()} == {output, f"b-{output}"}


@pytest.mark.parametrize(
    ("first", "next_one"), [("Python", "Python"), ("Python", "Node"), ("Node", "Python")]
)
def test_that_of_a_living_run_stays(first: str, next_one: str, folder: Path) -> None:
    with begun(first, "out.txt", folder) as process:
        write(next_one, "out.txt", folder)
        assert left(folder, process.pid, "out.txt")
        process.communicate(LINE + b"b)/ 20200101000000 {}\n")
        assert process.returncode == 0
    assert [file.name for file in folder.iterdir()] == ["out.txt"]
    assert b"b)/" in (folder / "out.txt").read_bytes()


def test_without_locks_they_stay(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "fcntl.py").write_text("raise ModuleNotFoundError('fcntl')\n")
    without = f"{tmp_path}{os.pathsep}{ROOT / 'python' / 'src'}"
    with begun("Python", "out.txt", folder) as process:
        process.kill()
    write("Python", "out.txt", folder, PYTHONPATH=without)
    assert left(folder, process.pid, "out.txt")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a copy needs a name")
def test_a_killed_run_leaves_no_copy_of_a_pipe(tmp_path: Path) -> None:
    command = [*PYTHON, "dedupe", "--keep", "last", "--format", "lines"]
    with subprocess.Popen(
        command, env=environment(TMPDIR=str(tmp_path)), stdin=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b"http://a/\n" * 100_000)
        process.stdin.flush()
        assert list(tmp_path.iterdir()) == []
        process.kill()
    assert list(tmp_path.iterdir()) == []
    done = subprocess.run(
        command, env=environment(), input=b"http://a/\n" * 3, capture_output=True, check=False
    )
    assert done.stdout == b"http://a/\n"


def test_without_proc_a_copy_of_a_pipe_has_a_name_and_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(copies))
    monkeypatch.setattr("urlmill._cli.readings.os.path.exists", lambda path: False)
    writer = threading.Thread(target=pipe.write_bytes, args=[b"http://a/\n"])
    writer.start()
    with readable_twice([str(pipe)]) as [copy]:
        writer.join()
        assert [Path(copy).read_bytes() for _ in range(2)] == [b"http://a/\n"] * 2
        assert Path(copy).is_relative_to(copies)
    assert list(copies.iterdir()) == []
