"""The folder of a set, with its lock (src/seen/folder)."""

import os
from io import FileIO

from .files import make_directory, open_file, remove, rename, sync_directory
from .lock import Lock


class SetFolder:
    """Makes, renames and removes the files of a set.

    Each call first checks that the folder still has its name, and raises `SEEN_FAILED` if it was moved.
    """

    def __init__(self, path: str) -> None:
        """Make the folder where it is missing, and lock it for one writer. Raise `SEEN_LOCKED`."""
        make_directory(path)
        self.path = path
        self._lock = Lock(path)

    def path_of(self, name: str) -> str:
        """Return the path of a file."""
        return os.path.join(self.path, name)

    def names(self) -> list[str]:
        """Return the names of all that is in the folder."""
        return os.listdir(self.path)

    def open(self, name: str) -> FileIO:
        """Open a file to read it."""
        self._lock.check()
        return open_file(self.path_of(name), "r")

    def create(self, name: str) -> FileIO:
        """Make a file that only its owner may read. One of that name, which a run has left, is removed before."""
        self.remove(name)
        return open_file(self.path_of(name), "x+")

    def rename(self, name: str, to: str) -> None:
        """Give a file another name, in the place of the file that has it."""
        self._lock.check()
        rename(self.path_of(name), self.path_of(to))

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        self._lock.check()
        remove(self.path_of(name))

    def sync(self) -> None:
        """Return when all that was made, renamed and removed is on disk."""
        sync_directory(self.path)

    def release(self) -> None:
        """Let go of the lock."""
        self._lock.release()
