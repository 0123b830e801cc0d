"""What the system does for a set on disk. Its files are opened, read and written here alone."""

import errno
import os
import stat
from contextlib import suppress
from io import FileIO
from typing import BinaryIO

from .._errors import SeenError

Data = bytes | bytearray | memoryview


def stat_own(name: str, is_written: bool = False) -> "os.stat_result | None":
    """Return what the system says of a file of a set, which may come from a stranger; None if it is missing.

    Raise `SEEN_CORRUPT` for a link, a folder, a pipe or a device; for a file that is written, also if it has another
    name: its bytes are somebody else's, too.
    """
    try:
        found = os.lstat(name)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISLNK(found.st_mode):
        raise _not_own(name, "is a link")
    if not stat.S_ISREG(found.st_mode):
        raise _not_own(name, "is not a file")
    if is_written and found.st_nlink > 1:
        raise _not_own(name, "has another name, as a hard link has")
    return found


def _not_own(name: str, what: str) -> SeenError:
    return SeenError(
        "SEEN_CORRUPT",
        f"{name} {what}: a set has files of its own only. If this set is yours, copy the file to its place",
    )


def open_file(name: str, mode: str) -> FileIO:
    """Open a file of a set, or make one that only its owner may read (`x+`).

    Raise `SEEN_CORRUPT` for one that is missing, and what `stat_own` raises.
    """
    if mode != "x+" and stat_own(name, mode == "r+") is None:
        raise SeenError("SEEN_CORRUPT", f"{name} is missing")
    return FileIO(name, mode, opener=open_own)


def open_own(name: str, flags: int) -> int:
    """Open what is not a link, for its owner alone. No system waits for a file that became a pipe meanwhile."""
    return os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)


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


def sync(file: "FileIO | BinaryIO") -> None:
    """Return when all that was written to a file is on disk."""
    import fcntl

    if hasattr(fcntl, "F_FULLFSYNC"):  # macOS: fsync leaves it in the memory of the disk
        fcntl.fcntl(file, fcntl.F_FULLFSYNC)
    elif hasattr(os, "fdatasync"):
        os.fdatasync(file.fileno())
    else:
        os.fsync(file.fileno())


_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EBADF)
"""The errors of pipes, and of file systems that cannot sync a directory, as some of shares and of FUSE."""


def sync_output(file: BinaryIO) -> None:
    """Return when all that was written to an output is on disk. A pipe has it after the flush."""
    file.flush()
    try:
        sync(file)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise


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


def remove(name: str) -> None:
    """Remove a file, if it is there."""
    with suppress(FileNotFoundError):
        os.unlink(name)
