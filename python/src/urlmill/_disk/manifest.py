"""The manifest of a set: what it was made with, and what its directory holds (src/seen/disk/files/manifest-log.ts)."""

import json
import secrets
from collections.abc import Mapping
from typing import Any

from .block_file import BlockFile
from .files import stat_own
from .folder import SetFolder
from .identity import Identity
from .records import FORMAT, VERSION, Contents, read_records
from .state import LogState, changed, empty_state

MANIFEST = "manifest"
"""Names the file. When it has become long, and when the set is closed, it is written anew."""
UNFINISHED_MANIFEST = "manifest.new"
"""Names the file that becomes the manifest when it is complete."""

_NUMBER = 0x6D616E69
_LONG = 1 << 20
"""Bytes of changes after which it is written anew."""


class Manifest:
    """Keeps the state of a set, on disk too. `set` is the number that all its files have."""

    def __init__(
        self,
        folder: SetFolder,
        file: BlockFile,
        contents: Contents,
    ) -> None:
        self._folder = folder
        self._file = file
        self._length = 0
        """Its bytes when it was written anew."""
        self._is_complete = False
        """Whether nothing was added since it was written anew."""
        self.set, self.identity, self.state = contents

    @classmethod
    def open(cls, folder: SetFolder) -> "Manifest | None":
        """Open the manifest of a directory; None if it has none. Raise `SEEN_CORRUPT` for a damaged one."""
        name = folder.path_of(MANIFEST)
        if stat_own(name) is None:
            return None
        records: list[bytes] = []
        # The beginning and the state are on disk for certain, for the file had another name before.
        file = BlockFile.open(name, _NUMBER, 1, records.append)
        try:
            return cls(folder, file, read_records(records, name))
        except BaseException:
            file.close()
            raise

    @classmethod
    def begin(cls, folder: SetFolder, identity: Identity) -> "Manifest":
        """Begin a manifest. If that is interrupted, the directory has none."""
        made = Contents(secrets.randbits(32), identity, empty_state())
        return cls(folder, _write(folder, made), made)

    def change(self, **change: Any) -> None:
        """Change the state, by the fields of `Change`. When it returns, that is durable."""
        self._file.append(_encode(change))
        self._file.sync()
        changed(self.state, change)  # type: ignore[arg-type]
        self._is_complete = False
        if self._file.length > self._length + _LONG:
            self._rewrite()

    def complete(self, logs: list[LogState]) -> None:
        """Change the logs and write the manifest anew: then damage is found wherever it is."""
        if logs != self.state["logs"] or not self._is_complete:
            self.state["logs"] = logs
            self._rewrite()

    def _rewrite(self) -> None:
        file = _write(self._folder, Contents(self.set, self.identity, self.state))
        before, self._file = self._file, file
        self._length = file.length
        self._is_complete = True
        before.close()

    def keys(self) -> int:
        """Count the keys of all partitions."""
        return sum(partition["keys"] for partition in self.state["partitions"])

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _write(folder: SetFolder, contents: Contents) -> BlockFile:
    """Write a manifest beside the one that is there, and then in its place."""
    number, identity, state = contents
    file = BlockFile.create(folder, UNFINISHED_MANIFEST, _NUMBER)
    try:
        beginning = {"format": FORMAT, "version": VERSION, "set": number}
        file.append(_encode({**beginning, "identity": identity.encode()}))
        partitions = [pair for pair in enumerate(state["partitions"]) if pair[1]["generation"] > 0]
        file.append(_encode({**state, "partitions": partitions}))
        file.sync()
        # A record that changes nothing says that those before it were on disk.
        file.append(_encode({}))
        file.sync()
        file.rename(folder, MANIFEST)
        folder.sync()
    except BaseException:
        file.close()
        raise
    return file


def _encode(record: Mapping[str, object]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode()
