"""Kernels that earlier processes compiled: read only from a folder that is the user's alone."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import wasmtime

from urlmill import _module_cache, _wasm

SOURCE = Path(__file__).parents[1] / "src"

pytestmark = pytest.mark.skipif(
    not hasattr(os, "getuid"), reason="the system has no owners of files"
)


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(_module_cache.SWITCH, raising=False)
    return tmp_path / "cache" / "urlmill"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note the size of each kernel that is compiled."""
    sizes: list[int] = []
    make = wasmtime.Module.__init__

    def noting(self: Any, engine: Any, kernel: bytes) -> None:
        sizes.append(len(kernel))
        make(self, engine, kernel)

    monkeypatch.setattr(wasmtime.Module, "__init__", noting)
    return sizes


def run_kernel() -> None:
    """Do what a new process does: get the module of the small kernel, and run it."""
    module = _wasm.Module("disk.wasm", "DISK_VERSION", _wasm.DISK_KERNEL.version)
    assert _wasm.Instance(module=module).number("DISK_VERSION") == module.version


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_a_kernel_is_compiled_once(folder: Path, compiled: list[int]) -> None:
    for _ in range(3):
        run_kernel()
    assert len(compiled) == 1
    (file,) = files(folder)
    modes = [path.stat().st_mode & 0o777 for path in (folder.parent, folder, file)]
    assert modes == [0o700, 0o700, 0o600]


def test_results_are_those_of_a_kernel_that_was_compiled_here(tmp_path: Path) -> None:
    program = (
        "import urlmill; print(urlmill.dedupe(['HTTP://A', 'http://a/', 'x'], preset='crawl'))"
    )
    outputs = set()
    for switch in ("0", "1", "1"):
        environment = {
            **os.environ,
            "XDG_CACHE_HOME": str(tmp_path),
            "PYTHONPATH": str(SOURCE),
            _module_cache.SWITCH: switch,
        }
        command = [sys.executable, "-c", program]
        outputs.add(
            subprocess.run(command, env=environment, capture_output=True, check=True).stdout
        )
        assert (tmp_path / "urlmill").exists() == (switch == "1")
    assert len(outputs) == 1


def damaged(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def shortened(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def open_to_others(file: Path) -> None:
    file.chmod(0o620)


def linked(file: Path) -> None:
    file.rename(file.parent.parent / "elsewhere")
    file.symlink_to(file.parent.parent / "elsewhere")


def a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o600)


@pytest.mark.parametrize("change", [damaged, shortened, emptied, open_to_others, linked, a_pipe])
def test_a_file_that_cannot_be_trusted_is_compiled_anew_and_replaced(
    change: Callable[[Path], None], folder: Path, compiled: list[int]
) -> None:
    run_kernel()
    (file,) = files(folder)
    change(file)
    run_kernel()
    assert len(compiled) == 2
    assert files(folder) == [file]
    assert (file.is_symlink(), file.is_file(), file.stat().st_mode & 0o777) == (False, True, 0o600)
    run_kernel()
    assert len(compiled) == 2


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o720, 0o755])
def test_a_folder_that_others_can_open_is_not_used(
    mode: int, folder: Path, compiled: list[int]
) -> None:
    run_kernel()
    folder.chmod(mode)
    run_kernel()
    assert len(compiled) == 2
    for file in files(folder):
        file.unlink()
    run_kernel()
    assert files(folder) == []


def test_what_belongs_to_another_user_is_not_used(
    folder: Path, compiled: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_kernel()
    found = os.fstat
    for kind in (os.O_DIRECTORY, 0):

        def of_another(handle: int, kind: int = kind) -> os.stat_result:
            given = found(handle)
            is_folder = given.st_mode & 0o040000 != 0
            values = list(given)
            if is_folder == (kind != 0):
                values[4] = os.getuid() + 1
            return os.stat_result(values)

        monkeypatch.setattr(os, "fstat", of_another)
        before = len(compiled)
        run_kernel()
        assert len(compiled) == before + 1
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    monkeypatch.setattr(os, "fstat", found)
    run_kernel()
    assert len(compiled) == 4


def test_a_link_in_the_place_of_the_folder_is_not_followed(
    folder: Path, compiled: list[int], tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir(mode=0o700)
    folder.parent.mkdir()
    folder.symlink_to(tmp_path / "other")
    run_kernel()
    run_kernel()
    assert len(compiled) == 2
    assert files(tmp_path / "other") == []


def test_where_there_is_no_place_nothing_is_kept(
    compiled: list[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    for home in (tmp_path / "file", tmp_path / "missing"):
        monkeypatch.setenv("HOME", str(home))
        run_kernel()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(_module_cache.SWITCH, "0")
    run_kernel()
    assert len(compiled) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]
    monkeypatch.delenv(_module_cache.SWITCH)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    run_kernel()
    assert len(files(tmp_path / ".cache" / "urlmill")) == 1


def test_nothing_is_made_in_the_home_of_another_user(
    folder: Path, compiled: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    run_kernel()
    assert len(compiled) == 1
    assert not folder.parent.exists()


def test_a_full_disk_leaves_no_file(
    folder: Path, compiled: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", fail)
    run_kernel()
    assert (len(compiled), files(folder)) == (1, [])


def test_code_of_another_wasmtime_or_processor_is_compiled_anew(
    folder: Path, compiled: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_kernel()

    def refuse(*_: object) -> None:
        raise wasmtime.WasmtimeError("Module was compiled with incompatible version")

    with monkeypatch.context() as patch:
        patch.setattr(wasmtime.Module, "deserialize", refuse)
        run_kernel()
    assert len(compiled) == 2
    monkeypatch.setattr(_module_cache, "_processor", lambda: b"another")
    run_kernel()
    assert (len(compiled), len(files(folder))) == (3, 2)
    listed = os.listdir
    with monkeypatch.context() as patch:
        patch.setattr(os, "listdir", lambda path: [*listed(path), "wasmtime-99.0.0.dist-info"])
        run_kernel()
    assert (len(compiled), len(files(folder))) == (4, 3)


def test_old_files_are_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(12):
        monkeypatch.setattr(_module_cache, "_processor", lambda number=number: b"%d" % number)
        run_kernel()
        for age, file in enumerate(sorted(files(folder), key=lambda each: each.stat().st_mtime_ns)):
            os.utime(file, (1000 + age, 1000 + age))
    assert len(files(folder)) == 8
    (folder / "own.txt").write_text("")
    run_kernel()
    assert (folder / "own.txt").exists()
