"""What the system does for a set on disk. Its files are opened, read and written here alone."""

import errno
import os
from io import FileIO

from .._errors import SeenError

Data = bytes | bytearray | memoryview


def open_file(name: str, mode: str) -> FileIO:
    """Open a file that only its owner may read. Raise `SEEN_CORRUPT` for one to read that is missing."""
    try:
        return FileIO(name, mode, opener=_private)
    except FileNotFoundError as error:
        if mode.startswith("w"):
            raise
        raise SeenError("SEEN_CORRUPT", f"{name} is missing") from error


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def size_of(file: FileIO) -> int:
    """Return the bytes of a file."""
    return os.fstat(file.fileno()).st_size


def read_some(file: FileIO, length: int, position: int) -> bytes:
    """Return the bytes at a place of a file, fewer where it ends."""
    pieces = []
    while length > 0:
        piece = os.pread(file.fileno(), length, position)
        if not piece:
            break
        pieces.append(piece)
        length -= len(piece)
        position += len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def read_fully(file: FileIO, length: int, position: int) -> bytes:
    """Return bytes at a place of a file. Raise `SEEN_CORRUPT` if it ends before."""
    data = read_some(file, length, position)
    if len(data) < length:
        raise SeenError("SEEN_CORRUPT", f"{file.name} ends at byte {position + len(data)}")
    return data


def will_read(file: FileIO, length: int, position: int) -> None:
    """Let the system begin to read a part of a file, if it can."""
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(file.fileno(), position, length, os.POSIX_FADV_WILLNEED)


def write_fully(file: FileIO, data: Data, position: int) -> None:
    """Write all bytes at a place of a file."""
    left = memoryview(data)
    while len(left) > 0:
        done = os.pwrite(file.fileno(), left, position)
        left = left[done:]
        position += done


def sync(file: FileIO) -> None:
    """Return when all that was written to a file is on disk."""
    import fcntl

    if hasattr(fcntl, "F_FULLFSYNC"):  # macOS: fsync leaves it in the memory of the disk
        fcntl.fcntl(file, fcntl.F_FULLFSYNC)
    elif hasattr(os, "fdatasync"):
        os.fdatasync(file.fileno())
    else:
        os.fsync(file.fileno())


_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EBADF)
"""The errors of file systems that cannot sync a directory, as some of shares and of FUSE."""


def sync_directory(directory: str) -> None:
    """Return when all that was created, renamed and deleted in a directory is on disk, where the system can do that."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise
    finally:
        os.close(handle)


def make_directory(directory: str) -> None:
    """Make a directory and those above it that are missing, and sync them."""
    path = os.path.abspath(directory)
    if not os.path.isdir(path):
        make_directory(os.path.dirname(path))
        os.makedirs(path, exist_ok=True)
        sync_directory(os.path.dirname(path))


def rename(name: str, to: str) -> None:
    """Put a file in the place of another."""
    os.replace(name, to)


def remove(name: str, may_be_missing: bool = False) -> None:
    """Remove a file."""
    try:
        os.unlink(name)
    except FileNotFoundError:
        if not may_be_missing:
            raise
