"""Sets on disk, in the files that the Node package reads and writes (src/seen/disk)."""

from .finish_runs import finish_runs
from .settings import settings_of
from .store import DiskStore

__all__ = ["DiskStore", "finish_runs", "settings_of"]
