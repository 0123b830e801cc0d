"""Sets on disk, in the files that the Node package reads and writes (src/seen/disk)."""

from .settings import settings_of
from .store import DiskStore

__all__ = ["DiskStore", "settings_of"]
