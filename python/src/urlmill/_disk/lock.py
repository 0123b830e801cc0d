"""The system's lock on a directory, which holds between Node and Python (src/seen/journal/lock.ts)."""

import os
import socket
from collections.abc import Callable
from datetime import datetime, timezone
from io import FileIO
from weakref import WeakSet

from .._errors import PackageMissingError, SeenError

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


def lock_directory(directory: str) -> Callable[[], None]:
    """Lock a directory for one writer, until the process ends or calls what this returns. Raise `SEEN_LOCKED`."""
    import fcntl

    file = FileIO(os.path.join(directory, LOCK_FILE), "r+", opener=_open)
    _held.add(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        since = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        holder = f"process {os.getpid()} on {socket.gethostname()} since {since}\n"
        os.ftruncate(file.fileno(), os.pwrite(file.fileno(), holder.encode(), 0))
    except BlockingIOError as error:
        holder = os.pread(file.fileno(), 200, 0).decode(errors="replace").strip()
        file.close()
        by = f" ({holder})" if holder else ""
        raise SeenError("SEEN_LOCKED", f"{directory} is in use by another process{by}") from error
    except BaseException:
        file.close()
        raise

    def release() -> None:
        # A forked process may still have the file.
        fcntl.flock(file, fcntl.LOCK_UN)
        file.close()

    return release


def _open(name: str, flags: int) -> int:
    return os.open(name, flags | os.O_CREAT, 0o600)


def _close_in_child() -> None:
    """Let go of locks in a forked process, which would hold them after its parent ended."""
    for file in list(_held):
        file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_child)
