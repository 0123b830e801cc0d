"""Kernels as native code, kept from process to process in a folder that only the user can write.

To load such code is to run it, so it is read only from a folder and a file that belong to this user and that nobody
else can open. Where there is no such folder, each process compiles. `URLMILL_CACHE=0` turns the cache off.
"""

import hashlib
import os
import re
import stat
from contextlib import suppress
from typing import Any

import wasmtime
from wasmtime import _ffi

SWITCH = "URLMILL_CACHE"
_OTHERS = 0o077
"""What nobody but the owner may have."""
_DIGEST_BYTES = 32
_LARGEST = 1 << 26
"""Bytes of a file that are read: no kernel has as many."""
_KEPT = 8
"""Files that stay: two kernels of a few releases. Each has up to 600 KB."""
_ENDING = ".cwasm"


def load(engine: Any, kernel: bytes) -> Any:
    """Return the module of a kernel that an earlier process compiled; None if no file can be trusted."""
    folder = _open_folder()
    if folder is None:
        return None
    try:
        code = _read(folder, _name(kernel))
        # wasmtime refuses code of another release of it, or for another processor.
        return None if code is None else wasmtime.Module.deserialize(engine, code)
    except (OSError, wasmtime.WasmtimeError):
        return None
    finally:
        os.close(folder)


def keep(module: Any, kernel: bytes) -> None:
    """Keep a module for later processes, if there is a folder for it and room."""
    folder = _open_folder()
    if folder is None:
        return
    try:
        code = bytes(module.serialize())
        _write(folder, _name(kernel), hashlib.sha256(code).digest() + code)
        _remove_old(folder)
    except (OSError, wasmtime.WasmtimeError):
        return
    finally:
        os.close(folder)


def _open_folder() -> int | None:
    """Open the folder, and make it if it is missing. Return None if it is not the user's alone."""
    if os.environ.get(SWITCH) == "0" or not hasattr(os, "getuid") or os.getuid() != os.geteuid():
        return None
    home = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(home):
        home = os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(home):
        return None
    folder = os.path.join(home, "urlmill")
    try:
        # As root with the home of another user, what is made would be in that user's way.
        for path in (home, folder):
            if not os.path.lexists(path) and os.stat(os.path.dirname(path)).st_uid == os.getuid():
                with suppress(FileExistsError):
                    os.mkdir(path, 0o700)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    if _is_private(os.fstat(handle)):
        return handle
    os.close(handle)
    return None


def _is_private(found: os.stat_result) -> bool:
    return found.st_uid == os.getuid() and found.st_mode & _OTHERS == 0


def _name(kernel: bytes) -> str:
    """Return the name of the file of a kernel: it differs by wasmtime, system, processor and kernel."""
    library, machine = os.stat(_ffi.dll._name), os.uname()
    # To ask for the version of wasmtime takes longer than to read the module: its folder beside the package has it.
    packages = os.listdir(os.path.dirname(os.path.dirname(wasmtime.__file__)))
    releases = sorted(name for name in packages if name.startswith("wasmtime-"))
    known = (
        f"{releases} {library.st_size} {library.st_mtime_ns} {machine.sysname} {machine.machine}\n"
    )
    return hashlib.sha256(known.encode() + _processor() + kernel).hexdigest() + _ENDING


def _processor() -> bytes:
    """Return what the processor can do, where Linux says it. Machines can share a home."""
    try:
        with open("/proc/cpuinfo", "rb") as file:
            found = re.search(rb"^(?:flags|Features)\s*:.*$", file.read(1 << 14), re.M)
    except OSError:
        return b""
    return found[0] if found else b""


def _read(folder: int, name: str) -> bytes | None:
    """Return the code in a file. Return None if the file is damaged, or not the user's alone."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with open(os.open(name, flags, dir_fd=folder), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or not _is_private(found) or found.st_size > _LARGEST:
            return None
        data = file.read()
    code = data[_DIGEST_BYTES:]
    return code if hashlib.sha256(code).digest() == data[:_DIGEST_BYTES] else None


def _write(folder: int, name: str, data: bytes) -> None:
    """Write a file whole or not at all."""
    made = f".{os.urandom(16).hex()}{_ENDING}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(made, flags, 0o600, dir_fd=folder), "wb") as file:
        try:
            file.write(data)
            file.flush()
            os.rename(made, name, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError:
            with suppress(OSError):
                os.unlink(made, dir_fd=folder)
            raise


def _remove_old(folder: int) -> None:
    """Remove the oldest files, such as those of releases that are no longer installed."""
    names = [name for name in os.listdir(folder) if name.endswith(_ENDING)]
    if len(names) <= _KEPT:
        return
    times = {name: os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime for name in names}
    for name in sorted(names, key=times.__getitem__)[:-_KEPT]:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)
