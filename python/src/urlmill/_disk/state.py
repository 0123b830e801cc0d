"""What the folder of a set holds besides its identity (src/seen/disk/files/state.ts)."""

from collections.abc import Sequence
from typing import Any, TypedDict

from .plan import PARTITIONS


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


def empty_state() -> State:
    """Return the state of a set without URLs."""
    none = PartitionState(generation=0, keys=0, blocks=0, lines=0, checksum="")
    return State(partitions=[none] * PARTITIONS, logs=[], logsMade=0, settled=0)


def changed(state: State, change: Change) -> None:
    """Change a state."""
    rest: Any = dict(change)
    for number, partition in rest.pop("partitions", ()):
        state["partitions"][number] = partition
    state.update(rest)
