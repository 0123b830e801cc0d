"""The code of the documents gives what stands after `#`."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from urlmill import Normalizer

ROOT = Path(__file__).parents[2]
DOCUMENTS = ["docs/python-spark-duckdb-clickhouse.md", "python/README.md"]
CHECKED = re.compile(r"^(\S.*?)  # (.+)$")


def blocks() -> list[Any]:
    found = []
    for document in DOCUMENTS:
        text = (ROOT / document).read_text(encoding="utf-8")
        for match in re.finditer(r"^(?<!-->\n)```python\n(.*?)^```", text, re.M | re.S):
            line = text[: match.start()].count("\n") + 1
            found.append(pytest.param(match[1], id=f"{document}:{line}"))
    return found


def value_of(line: str) -> tuple[str, Any] | None:
    """Return the expression of a line and the value that stands after it, if there are both."""
    match = CHECKED.match(line)
    if match is None:
        return None
    try:
        ast.parse(match[1], mode="eval")
        return match[1], ast.literal_eval(match[2])
    except (SyntaxError, ValueError):
        return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("code", blocks())
def test_the_code_gives_what_it_says(
    code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python" / "src"))
    if '"urlmill"' in code:
        put_command_on_path(tmp_path, monkeypatch)
    if "pyspark" in code and shutil.which("java") is None:
        pytest.skip("no Java, which Spark needs")
    scope: dict[str, Any] = {}
    for part in statements(code):
        checked = value_of(part)
        try:
            if checked is None:
                exec(part, scope)
            else:
                assert eval(checked[0], scope) == checked[1]
        except ModuleNotFoundError as error:
            pytest.skip(f"{error.name} is not installed")


def test_the_commands_without_node_run_in_an_empty_folder(tmp_path: Path) -> None:
    text = (ROOT / DOCUMENTS[0]).read_text(encoding="utf-8")
    section = text.split("## The command without Node\n")[1].split("\n## ")[0]
    (script,) = re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S)
    (tmp_path / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (tmp_path / "python").chmod(0o755)
    environment = {
        "PATH": os.pathsep.join([str(tmp_path), "/usr/bin", "/bin"]),
        "PYTHONPATH": str(ROOT / "python" / "src"),
    }
    command = ["sh", "-ec", script]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "unique.txt").read_text() == "HTTP://A/?b&a\nhttp://b/\n"
    assert (tmp_path / "new.txt").read_text() == "HTTP://A/?b&a\nhttp://b/\n"
    assert (tmp_path / "newest.csv").read_text() == "url,date\nhttp://a/,2024-05-01\n"
    assert '"normalized_url":"http://a/"' in (tmp_path / "keyed.jsonl").read_text()


def calls_of_options() -> list[str]:
    text = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
    return re.findall(r"^- Python: `([^`]+)`", text, re.M)


@pytest.mark.parametrize("call", calls_of_options())
def test_what_the_options_say_of_python_is_taken(call: str) -> None:
    assert isinstance(eval(f"Normalizer({call})", {"Normalizer": Normalizer}), Normalizer)


def put_command_on_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `urlmill` be the command of Node."""
    program, command = shutil.which("node"), ROOT / "dist" / "cli" / "main.js"
    if program is None or not command.is_file():
        pytest.skip("node, or the build of the Node package to compare with, is missing")
    (folder / "bin").mkdir()
    (folder / "bin" / "urlmill").write_text(f'#!/bin/sh\nexec "{program}" "{command}" "$@"\n')
    (folder / "bin" / "urlmill").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder / "bin"), os.environ["PATH"]]))


def statements(code: str) -> list[str]:
    """Return each statement with what stands after it on its line."""
    lines = code.split("\n")

    def first_line(node: Any) -> int:
        return min(part.lineno for part in [node, *getattr(node, "decorator_list", [])])

    nodes = ast.parse(code).body
    return ["\n".join(lines[first_line(node) - 1 : node.end_lineno]) for node in nodes]
