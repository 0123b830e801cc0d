"""Inputs that are read twice: pipes are copied, and files must stay as they are."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO

from .files import opened
from .keep import input_changed


@contextmanager
def readable_twice(files: list[str]) -> Iterator[list[str]]:
    """Yield names under which files can be read again and again. A pipe becomes a temporary file, decompressed."""
    with ExitStack() as open_files:
        names, pipes = [], set()
        for name in files:
            if _state_of(name) is not None:
                names.append(name)
            elif name not in pipes:
                # A pipe that is named again gives nothing more.
                pipes.add(name)
                copy, path = open_files.enter_context(_temporary())
                with opened(name) as source:
                    shutil.copyfileobj(source, copy)
                copy.flush()
                names.append(path)
        yield names


@contextmanager
def _temporary() -> Iterator[tuple[IO[bytes], str]]:
    """Yield a temporary file and a path that opens it. On Linux it has no name, so a killed process leaves none."""
    with tempfile.TemporaryFile() as unnamed:
        path = f"/proc/self/fd/{unnamed.fileno()}"
        if os.path.exists(path):
            yield unnamed, path
            return
    # Windows opens no file again that is deleted on its close, so the folder around it is deleted.
    with tempfile.TemporaryDirectory(prefix="urlmill-") as folder:
        path = os.path.join(folder, "copy")
        with open(path, "wb") as named:
            yield named, path


class States:
    """Notes what files are before they are read, to tell later whether they are the same."""

    def __init__(self, files: list[str]) -> None:
        self._states = {name: _state_of(name) for name in files}

    def check(self, written: str) -> None:
        """Raise `Stopped` if a file was changed. `written` says what is written."""
        for name, before in self._states.items():
            if _state_of(name) != before:
                raise input_changed(f"{name} was changed", written)


def _state_of(name: str) -> tuple[int, ...] | None:
    """Return what tells a file from another one; None for what is not a regular file."""
    try:
        found = os.stat(name)
    except FileNotFoundError:
        if name == "-":
            return None
        raise
    is_file = name != "-" and stat.S_ISREG(found.st_mode)
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns) if is_file else None
