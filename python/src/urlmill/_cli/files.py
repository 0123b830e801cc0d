"""Files that the command reads and writes."""

import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import BinaryIO, cast

from .._errors import OptionError
from .foreign import LENGTH, foreign
from .hand_over import Unsupported
from .messages import NOTES, Stopped, shown_input
from .replaced import replaced, sync_output, whole_lines
from .utf16 import Utf16Reader, is_utf16

_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
PARQUET = b"PAR1"
_START = 1 << 16
"""The bytes at the beginning of a file that are looked at."""


def check_zstd(sources: list[str], output: str) -> None:
    """Raise `Unsupported` if a file that is read or written is in zstd, and `OSError` for one that cannot be read.

    Call it before anything is read or written: the command to which the call is handed over does that again.
    """
    if output.endswith(".zst"):
        raise Unsupported("zstd, of which the output is")
    for name in sources:
        if name != "-" and not _is_pipe(name):
            with open(name, "rb") as file:
                if file.read(4) == _ZSTD:
                    raise Unsupported(f"zstd, of which {name} is")


@contextmanager
def opened(name: str) -> Iterator[io.BufferedReader]:
    """Open a file, or standard input for "-".

    Raise `OptionError` for one in zstd, `Stopped` for one that is damaged or no list.
    """
    try:
        if name == "-" or _is_pipe(name):
            yield _stream(name)
            return
        with io.BufferedReader(io.FileIO(name), _START) as raw:
            yield _uncompressed(cast(io.BufferedReader, raw), name)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise Stopped(f"cannot read {shown_input(name)}: its gzip is damaged ({error})") from error
    except UnicodeError as error:
        why = f"it begins as text in UTF-16, and {error}"
        raise Stopped(f"cannot read {shown_input(name)}: {why}") from error


def _is_pipe(name: str) -> bool:
    """Say whether a name is of a pipe, as that of `<(…)` is, or of a device."""
    try:
        return not stat.S_ISREG(os.stat(name).st_mode)
    except FileNotFoundError:
        return False


@cache
def _stream(name: str) -> io.BufferedReader:
    """Return standard input or a pipe, of which some bytes may have been looked at: they do not come again."""
    raw = sys.stdin.buffer if name == "-" else io.BufferedReader(io.FileIO(name))
    return _uncompressed(cast(io.BufferedReader, raw), name)


def _uncompressed(raw: io.BufferedReader, name: str) -> io.BufferedReader:
    if raw.peek(4)[:4] == _ZSTD:
        # It was read, so no other command can.
        raise OptionError(
            "BAD_OPTION", f"{shown_input(name)} is zstd: unpack it first, as with zstd -dc"
        )
    is_packed = raw.peek(2)[:2] == _GZIP
    if is_packed:
        raw = io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(fileobj=raw)))
    head = raw.peek(LENGTH)
    if is_utf16(head):
        NOTES.say(f"{shown_input(name)} is UTF-16; written as UTF-8")
        return io.BufferedReader(Utf16Reader(raw))
    why = foreign(head, name, is_packed)
    if why is not None:
        raise Stopped(f"cannot read {shown_input(name)}: {why}")
    return raw


def lines_of(name: str) -> Iterator[bytes]:
    """Return the lines of a file with what ends them, without a byte order mark."""
    with opened(name) as file:
        first = file.readline()
        if first.startswith(_BOM):
            first = first[len(_BOM) :]
        if first:
            yield first
        yield from file


def first_bytes(name: str) -> bytes:
    """Return bytes at the beginning of a file, which are read again later."""
    with opened(name) as file:
        return file.peek(4096)[:4096]


@contextmanager
def output(name: str, sources: list[str], is_durable: bool = False) -> Iterator[BinaryIO]:
    """Open the output, which is written whole or not at all. Raise `OptionError` for one that is also read.

    With `is_durable`, it is on disk at the end.
    """
    if name == "-":
        with whole_lines(sys.stdout.buffer) as out:
            yield out
        if is_durable:
            sync_output(sys.stdout.buffer)
        return
    check_output(name, sources)
    with replaced(name, is_durable) as raw:
        if not name.endswith(".gz"):
            yield raw
            return
        with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
            yield cast(BinaryIO, packed)


def check_output(name: str, sources: list[str]) -> None:
    """Raise `OptionError` for an output that is read, too."""
    for source in sources:
        if source != "-" and Path(name).exists() and os.path.samefile(name, source):
            raise OptionError("BAD_OPTION", f"{name} is read and written: name another output")
