"""Writes a file beside the one that it replaces, as src/io/files/replaced-file.ts does."""

import errno
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from io import FileIO
from itertools import islice
from typing import BinaryIO, cast

_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/([0-9]{1,9})")
_STANDARD = {"/dev/stdout": 1, "/dev/stderr": 2}
_SHOWN = 30
"""The characters of a name that the names of its temporary files have: a name may have no more than 255 bytes."""
_MOST_NAMES = 10_000
"""The names of a folder that are looked at."""
_TAIL = 1 << 20
"""The bytes at the end of a file in which its last line end is looked for."""


@contextmanager
def replaced(name: str, is_durable: bool = False) -> Iterator[BinaryIO]:
    """Yield a temporary file beside an output. At the end it takes the place of the output.

    It is locked while it is written, so that a later run can tell whether its writer was killed. After an error it is
    removed, and the output is as it was. A pipe and a device are written directly. Raises `OSError` for an output that
    cannot be written. With `is_durable`, what was written is on disk at the end.
    """
    target = os.path.realpath(name)
    mode = _mode_of(name)
    descriptor = _descriptor_of(name)
    if is_written_in_place(name):
        # A descriptor is not opened by its name, which would empty a file of `>>`.
        opened = name if descriptor is None else descriptor
        with open(opened, "wb", closefd=descriptor is None) as direct:
            with whole_lines(direct):
                yield direct
            if is_durable:
                sync_output(direct)
        return
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
    with suppress(OSError):
        _remove_left(target)
    own = f"{os.getpid()}-{secrets.token_hex(4)}-{_shown_part(target)}"
    folder = os.path.dirname(target)
    unlocked, locked = (os.path.join(folder, f".urlmill-{kind}{own}") for kind in ("", "locked-"))
    try:
        with open(unlocked, "xb") as file:
            is_locked = _lock(file.fileno())
            if is_locked:
                os.rename(unlocked, locked)
            yield cast(BinaryIO, file)
            file.flush()
            if is_durable:
                sync_output(cast(BinaryIO, file))
            if is_locked:
                # A complete file is not removed by others. Closing it reports what a share could not write.
                os.rename(locked, unlocked)
        if mode is not None:
            os.chmod(unlocked, stat.S_IMODE(mode))
        os.replace(unlocked, target)
        if is_durable:
            from .._disk.files import sync_directory

            sync_directory(folder)
    except BaseException as error:
        for each in (unlocked, locked):
            with suppress(OSError):
                os.unlink(each)
        if isinstance(error, OSError) and error.filename in (unlocked, locked):
            error.filename = name
        raise


@contextmanager
def whole_lines(out: BinaryIO) -> Iterator[BinaryIO]:
    """Yield an output, and flush it at the end. After an error, cut a file after the last line end of this run."""
    begin = 0
    with suppress(OSError):
        begin = os.fstat(out.fileno()).st_size
    try:
        yield out
        out.flush()
    except OSError:
        has_rest = False
        try:
            out.flush()
        except OSError:
            has_rest = True
        with suppress(OSError):
            _cut_torn_line(out.fileno(), begin)
            if has_rest:
                # What Python would write at its end goes nowhere.
                os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
        raise


def _cut_torn_line(fd: int, begin: int) -> None:
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode) or os.lseek(fd, 0, os.SEEK_CUR) != found.st_size:
        return
    with open(f"/dev/fd/{fd}", "rb") as file:
        start = file.seek(max(begin, found.st_size - _TAIL))
        end = start + file.read().rfind(b"\n") + 1
    if end > start or start == begin:
        os.ftruncate(fd, end)
        os.lseek(fd, end, os.SEEK_SET)


def sync_output(file: BinaryIO) -> None:
    """Return when all that was written to an output is on disk. A pipe has it after the flush."""
    from .._disk import files

    files.sync_output(file)


def is_written_in_place(name: str) -> bool:
    """Say whether an output is written directly, as a pipe, a device and a descriptor are."""
    mode = _mode_of(name)
    is_other = name.startswith("/proc/") or (mode is not None and not stat.S_ISREG(mode))
    return is_other or _descriptor_of(name) is not None


def _remove_left(target: str) -> None:
    """Remove the temporary files that killed runs left for an output: those whose lock can be had."""
    folder = os.path.dirname(target)
    own = re.compile(rf"\.urlmill-locked-\d+-[0-9a-f]{{8}}-{re.escape(_shown_part(target))}")
    with os.scandir(folder) as entries:
        for entry in islice(entries, _MOST_NAMES):
            if own.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError), closing(FileIO(entry.path, "r+")) as file:
                    if _lock(file.fileno()):
                        os.unlink(entry.path)


def _shown_part(target: str) -> str:
    """Return what the names of all temporary files of an output end with."""
    name = os.path.basename(target)
    if len(name) <= _SHOWN:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return digest + name[-_SHOWN:]


def _lock(descriptor: int) -> bool:
    """Lock a file until it is closed. Return whether it has the lock: on Windows there is none."""
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ModuleNotFoundError, OSError):
        return False
    return True


def _descriptor_of(name: str) -> int | None:
    """Return the descriptor of the process that a name means, None for any other name."""
    found = _DESCRIPTOR.fullmatch(name)
    return _STANDARD.get(name) if found is None else int(found[1])


def _mode_of(path: str) -> int | None:
    """Return the mode of a file, None where there is none."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None
