"""The manifest of a set: what it was made with, and what its directory holds (src/seen/disk/files/manifest-log.ts)."""

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from .._errors import SeenError
from .block_file import BlockFile
from .files import sync_directory
from .identity import Identity
from .plan import PARTITIONS

MANIFEST = "manifest"
"""Names the file. When it has become long, and when the set is closed, it is written anew."""
UNFINISHED_MANIFEST = "manifest.new"
"""Names the file that becomes the manifest when it is complete."""

_FORMAT = "urlmill set on disk"
_VERSION = 1
_NUMBER = 0x6D616E69
_LONG = 1 << 20
"""Bytes of changes after which it is written anew."""


class PartitionState(TypedDict):
    """Describes the file of a partition. Generation 0 means that no file was written."""

    generation: int
    keys: int
    blocks: int
    lines: int
    checksum: str


class LogState(TypedDict):
    """Describes a log. `kind` is "added" or "waiting". `rows` is None while more are added.

    `merged` lists the partitions that its rows are merged into; None if all are.
    """

    number: int
    kind: str
    firstRow: int
    rows: "int | None"
    durable: "list[int]"
    hasPayloads: bool
    merged: "list[int] | None"


class State(TypedDict):
    """Describes what a directory holds besides the identity of the set."""

    partitions: "list[PartitionState]"
    logs: "list[LogState]"
    logsMade: int
    settled: int


class Change(TypedDict, total=False):
    """Says what a record of the manifest changes."""

    partitions: "Sequence[tuple[int, PartitionState]]"
    logs: "list[LogState]"
    logsMade: int
    settled: int


def _empty_state() -> State:
    none = PartitionState(generation=0, keys=0, blocks=0, lines=0, checksum="")
    return State(partitions=[none] * PARTITIONS, logs=[], logsMade=0, settled=0)


class Manifest:
    """Keeps the state of a set, on disk too. `set` is the number that all its files have."""

    def __init__(
        self,
        directory: str,
        file: BlockFile,
        number: int,
        identity: Identity,
        changes: Sequence[Change],
    ) -> None:
        self._directory = directory
        self._file = file
        self._length = 0
        """Its bytes when it was written anew."""
        self._is_complete = False
        """Whether nothing was added since it was written anew."""
        self.set = number
        self.identity = identity
        self.state = _empty_state()
        for change in changes:
            self._apply(change)

    @classmethod
    def open(cls, directory: str) -> "Manifest | None":
        """Open the manifest of a directory; None if it has none. Raise `SEEN_CORRUPT` for a damaged one."""
        name = os.path.join(directory, MANIFEST)
        if not os.path.exists(name):
            return None
        records: list[Any] = []
        # The beginning and the state are on disk for certain, for the file had another name before.
        file = BlockFile.open(name, _NUMBER, 1, lambda block: records.append(json.loads(block)))
        try:
            beginning = _check_beginning(records, name)
            identity = Identity.decode(beginning["identity"], name)
            return cls(directory, file, beginning["set"], identity, records[1:])
        except BaseException:
            file.close()
            raise

    @classmethod
    def begin(cls, directory: str, identity: Identity) -> "Manifest":
        """Begin a manifest. If that is interrupted, the directory has none."""
        number = secrets.randbits(32)
        file = _write(directory, number, identity, _empty_state())
        return cls(directory, file, number, identity, [])

    def change(self, **change: Any) -> None:
        """Change the state, by the fields of `Change`. When it returns, that is durable."""
        self._file.append(_encode(change))
        self._file.sync()
        self._apply(change)  # type: ignore[arg-type]
        self._is_complete = False
        if self._file.length > self._length + _LONG:
            self._rewrite()

    def complete(self, logs: list[LogState]) -> None:
        """Change the logs and write the manifest anew: then damage is found wherever it is."""
        if logs != self.state["logs"] or not self._is_complete:
            self.state["logs"] = logs
            self._rewrite()

    def _apply(self, change: Change) -> None:
        rest: Any = dict(change)
        for number, partition in rest.pop("partitions", ()):
            self.state["partitions"][number] = partition
        self.state.update(rest)

    def _rewrite(self) -> None:
        file = _write(self._directory, self.set, self.identity, self.state)
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


def _write(directory: str, number: int, identity: Identity, state: State) -> BlockFile:
    """Write a manifest beside the one that is there, and then in its place."""
    unfinished = os.path.join(directory, UNFINISHED_MANIFEST)
    file = BlockFile.create(unfinished, _NUMBER)
    try:
        beginning = {"format": _FORMAT, "version": _VERSION, "set": number}
        file.append(_encode({**beginning, "identity": identity.encode()}))
        partitions = [pair for pair in enumerate(state["partitions"]) if pair[1]["generation"] > 0]
        file.append(_encode({**state, "partitions": partitions}))
        file.sync()
        # A record that changes nothing says that those before it were on disk.
        file.append(_encode({}))
        file.sync()
        file.rename(os.path.join(directory, MANIFEST))
        sync_directory(directory)
    except BaseException:
        file.close()
        raise
    return file


def _encode(record: Mapping[str, object]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode()


def _check_beginning(records: Sequence[Any], name: str) -> dict[str, Any]:
    beginning: dict[str, Any] = records[0] if len(records) > 1 else {}
    if beginning.get("format") != _FORMAT:
        raise SeenError("SEEN_CORRUPT", f"{name} is damaged, or is not of a set on disk")
    if beginning["version"] != _VERSION:
        raise SeenError(
            "SEEN_CORRUPT", f"{name} is of version {beginning['version']}, not {_VERSION}"
        )
    return beginning
