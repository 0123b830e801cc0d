"""Fixtures that tests share."""

import gzip
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "test" / "fixtures"

MISSING = re.compile(r"could not import|is not installed|is missing|no Java|no build for Node")
"""The reasons of tests that are skipped because a module or a program is missing."""


def fail_if_missing(report: Any) -> None:
    """Let a test fail in CI where a module or a program is missing, so that no test is skipped unnoticed."""
    if os.environ.get("CI") and report.skipped and MISSING.search(str(report.longrepr)):
        report.outcome = "failed"


def pytest_configure(config: pytest.Config) -> None:
    """Keep compiled kernels in a folder of this run, and not in that of the user."""
    folder = tempfile.TemporaryDirectory()
    config.add_cleanup(folder.cleanup)
    os.environ["XDG_CACHE_HOME"] = folder.name


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    report = yield
    fail_if_missing(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    report = yield
    fail_if_missing(report)
    return report


@pytest.fixture(scope="session")
def fixture_json() -> Callable[[str], Any]:
    return lambda name: json.loads((FIXTURES / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def corpus() -> bytes:
    """50,000 real URLs, one a line."""
    return gzip.decompress((FIXTURES / "urls-50k.txt.gz").read_bytes())


@pytest.fixture(scope="session")
def urls(corpus: bytes) -> list[str]:
    return corpus.decode().split("\n")[:-1]


@pytest.fixture(scope="session")
def node() -> Callable[..., bytes]:
    """Run a script of Node in the project, with bytes as its input."""
    program = shutil.which("node")
    if program is None or not (ROOT / "dist" / "cli" / "main.js").is_file():
        pytest.skip("node, or the build of the Node package to compare with, is missing")

    def run(script: str, *flags: str, data: bytes = b"") -> bytes:
        command = [program, str(ROOT / script), *flags]
        return subprocess.run(command, input=data, capture_output=True, check=True).stdout

    return run


@pytest.fixture(scope="session")
def some_urls(urls: list[str]) -> list[str]:
    return urls[:5000]
