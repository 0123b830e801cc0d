"""The system's lock on a directory, which holds between Node and Python (src/seen/folder/lock.ts)."""

import os
import socket
from datetime import datetime, timezone
from io import FileIO
from weakref import WeakSet

from .._errors import PackageMissingError, SeenError
from .files import open_own, stat_own

LOCK_FILE = "lock"
"""Names the file that is locked. Its text tells people who has the lock. It is never deleted."""

_held: "WeakSet[FileIO]" = WeakSet()


def check_system() -> None:
    """Raise `PACKAGE_MISSING` on systems that have no such lock, as Windows."""
    try:
        import fcntl  # noqa: F401
    except ModuleNotFoundError as error:
        raise PackageMissingError(
            "PACKAGE_MISSING",
            "a set on disk needs the module fcntl, which Python has on Linux, macOS and BSD: "
            "take a set in memory here, or the Node package",
        ) from error


class Lock:
    """Locks a directory for one writer, until the process ends or calls `release`."""

    def __init__(self, directory: str) -> None:
        """Take the lock. Raise `SEEN_LOCKED`, and `SEEN_CORRUPT` if the file is not one of the set's own."""
        import fcntl

        self._directory = directory
        self._name = os.path.join(directory, LOCK_FILE)
        stat_own(self._name, True)
        self._file = file = FileIO(self._name, "r+", opener=_open)
        _held.add(file)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            since = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
            holder = f"process {os.getpid()} on {socket.gethostname()} since {since}\n"
            self._length = os.pwrite(file.fileno(), holder.encode(), 0)
            os.ftruncate(file.fileno(), self._length)
        except BlockingIOError as error:
            holder = os.pread(file.fileno(), 200, 0).decode(errors="replace").strip()
            file.close()
            by = f" ({holder})" if holder else ""
            raise SeenError(
                "SEEN_LOCKED", f"{directory} is in use by another process{by}"
            ) from error
        except BaseException:
            file.close()
            raise
        own = os.fstat(file.fileno())
        self._place = (own.st_dev, own.st_ino)

    def check(self) -> None:
        """Raise `SEEN_FAILED` if the directory no longer has the file that is locked: it was moved."""
        found = stat_own(self._name)
        if found is None or (found.st_dev, found.st_ino) != self._place:
            raise SeenError(
                "SEEN_FAILED",
                f"{self._directory} was moved or replaced while it was open: nothing more is written. "
                "Open the set where it is now",
            )

    def release(self) -> None:
        """Overwrite the text, which would be wrong while somebody reads the set, and let go.

        The file keeps its length, so that the next writer has room for a text on a full disk.
        """
        import fcntl

        try:
            os.pwrite(self._file.fileno(), b" " * self._length, 0)
        except OSError as error:
            raise SeenError("SEEN_FAILED", f"{self._name}: {error.strerror}") from error
        finally:
            # A forked process may still have the file.
            fcntl.flock(self._file, fcntl.LOCK_UN)
            self._file.close()


def _open(name: str, flags: int) -> int:
    return open_own(name, flags | os.O_CREAT)


def _close_in_child() -> None:
    """Let go of locks in a forked process, which would hold them after its parent ended."""
    for file in list(_held):
        file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_child)
