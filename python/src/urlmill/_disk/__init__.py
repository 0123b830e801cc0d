"""Sets on disk, in the files that the Node package reads and writes (src/seen/disk)."""

from .identity import Identity
from .settings import settings_of
from .store import DiskStore, open_store, other_store, read_identity

__all__ = ["DiskStore", "Identity", "open_store", "other_store", "read_identity", "settings_of"]
