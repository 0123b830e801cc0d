"""The package itself: version, wheel, documentation."""

import ctypes
import doctest
import hashlib
import importlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import pytest

import urlmill
from urlmill import KernelError, Normalizer, Status, _data_files, _wasm

PYTHON = Path(__file__).parents[1]
MODULES = [
    "urlmill",
    "urlmill._dedupe",
    "urlmill._normalizer",
    "urlmill._seen",
    "urlmill._status",
    "urlmill.datatrove",
    "urlmill.duckdb",
    "urlmill.pandas",
    "urlmill.polars",
]


def test_the_version_is_that_of_the_node_package() -> None:
    package = json.loads((PYTHON.parent / "package.json").read_text(encoding="utf-8"))
    assert urlmill.__version__ == package["version"] == _data_files.versions()["urlmill"]


def test_statuses_have_the_numbers_of_the_node_package() -> None:
    text = (PYTHON.parent / "src" / "base" / "status.ts").read_text(encoding="utf-8")
    assert [f"  {code.name}: {code.value}," in text for code in Status] == [True] * len(Status)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_give_what_they_say(name: str) -> None:
    if name.count(".") == 1 and "._" not in name:
        pytest.importorskip(name.split(".")[1])
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
    assert result.attempted > 0


def test_each_public_name_has_a_docstring() -> None:
    for name in urlmill.__all__:
        public = getattr(urlmill, name)
        if isinstance(public, type):
            assert public.__doc__, name
            members = [vars(public)[member] for member in vars(public) if member[0] != "_"]
            assert [m for m in members if callable(m) and not m.__doc__] == []


def test_data_of_another_release_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_data_files, "__version__", "9.9.9")
    _data_files.versions.cache_clear()
    try:
        with pytest.raises(KernelError, match=r"9\.9\.9 and its kernel of"):
            _data_files.versions()
    finally:
        _data_files.versions.cache_clear()


def test_a_kernel_with_other_bytes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _data_files.versions()  # which are kept
    other = _data_files.read_data("kernel.wasm") + b"\0"
    monkeypatch.setattr(_data_files, "read_data", lambda _: other)
    with pytest.raises(KernelError, match=r"kernel\.wasm is not the file that was built"):
        _data_files.read_kernel("kernel.wasm")


def test_a_kernel_of_another_interface_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    version = _wasm.KERNEL.version
    monkeypatch.setattr(_wasm.KERNEL, "version", version - 1)
    said = f"version {version} of the interface, not {version - 1}"
    with pytest.raises(KernelError, match=said):
        _wasm.Instance()
    # Nothing is wrong with a plan that is given.
    with pytest.raises(KernelError, match=said):
        Normalizer(plan=Normalizer(drop_params=["of-no-kernel-yet"]).plan)


def test_a_big_endian_processor_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "byteorder", "big")
    with pytest.raises(KernelError, match="big-endian processors are not supported") as caught:
        _wasm.Module("kernel.wasm", "ABI_VERSION", 13).get()
    assert caught.value.code == "ENGINE_UNAVAILABLE"


def test_data_that_is_missing_says_what_to_run() -> None:
    with pytest.raises(KernelError, match=r"has no nothing\.wasm: run `npm ci && npm run build`"):
        _data_files.read_data("nothing.wasm")


def build(tree: Path, target: Path, kind: str = "wheel") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)


def test_two_builds_give_the_same_wheel_with_kernel_plans_and_types(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    digests = set()
    for name in ("a", "b"):
        done = build(PYTHON, tmp_path / name)
        assert done.returncode == 0, done.stderr
        (wheel,) = (tmp_path / name).iterdir()
        digests.add(hashlib.sha256(wheel.read_bytes()).hexdigest())
    assert len(digests) == 1
    names = set(ZipFile(wheel).namelist())
    data = "urlmill/_data/"
    plans = {f"{data}{preset['plan']}" for preset in _data_files.versions()["presets"].values()}
    types = {"urlmill/py.typed", "urlmill/_option_types.py"}
    assert names >= {
        *types,
        f"{data}kernel.wasm",
        f"{data}disk.wasm",
        f"{data}versions.json",
        *plans,
    }
    assert [name for name in names if "test" in name or "__pycache__" in name] == []


def test_the_source_distribution_builds_the_wheel_and_has_no_tests(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    done = build(PYTHON, tmp_path / "out", "sdist")
    assert done.returncode == 0, done.stderr
    (archive,) = (tmp_path / "out").iterdir()
    shutil.unpack_archive(archive, tmp_path / "tree")
    (tree,) = (tmp_path / "tree").iterdir()
    names = {path.relative_to(tree).as_posix() for path in tree.rglob("*")}
    assert names >= {"LICENSE", "NOTICE", "hatch_build.py", "src/urlmill/_data/kernel.wasm"}
    assert [name for name in names if "test" in name] == []
    assert build(tree, tmp_path / "wheel").returncode == 0


def test_a_wasmtime_without_the_function_is_told_with_its_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_wasm, "_ffi", SimpleNamespace(dll=ctypes.pythonapi))
    with pytest.raises(KernelError) as caught:
        _wasm._find_call()
    assert caught.value.code == "ENGINE_UNAVAILABLE"
    assert f"wasmtime {version('wasmtime')} has no wasmtime_func_call" in caught.value.message


def test_a_build_without_the_kernel_says_what_to_run(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    tree = tmp_path / "python"
    shutil.copytree(PYTHON, tree, ignore=shutil.ignore_patterns("_data", "tests", ".*"))
    done = build(tree, tmp_path / "out")
    assert done.returncode != 0
    assert done.stderr.strip().endswith(
        "run `npm ci && npm run build` in the root of the project first"
    )
    assert "Traceback" not in done.stderr


def test_the_package_has_one_dependency_with_bounds(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    assert build(PYTHON, tmp_path).returncode == 0
    (wheel,) = tmp_path.iterdir()
    metadata = ZipFile(wheel).read(f"urlmill-{urlmill.__version__}.dist-info/METADATA").decode()
    lines = [line for line in metadata.splitlines() if line.startswith("Requires-Dist: ")]
    required = [line.split(": ")[1] for line in lines if "extra ==" not in line]
    assert [text.startswith("wasmtime") for text in required] == [True]
    assert "<" in required[0]
    assert ">=" in required[0]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: urlmill.Normalizer(none=1), "BAD_OPTION"),
        (lambda: urlmill.Normalizer().normalize_batch("http://a/"), "BAD_INPUT"),
        (lambda: urlmill.SeenSet().reserve(1 << 40), "SET_FULL"),
        (lambda: urlmill.Normalizer().normalize("x"), "NO_SCHEME"),
        (lambda: urlmill.Normalizer().normalize("x", "y"), "BAD_BASE"),
    ],
)
def test_each_error_has_a_code(call: Callable[[], object], code: str) -> None:
    with pytest.raises(urlmill.UrlmillError) as caught:
        call()
    assert caught.value.code == code
