"""The records of a manifest: the beginning, then changes of the state (src/seen/disk/files/state.ts)."""

from collections.abc import Sequence
from typing import NamedTuple

from .._errors import SeenError
from .identity import Identity
from .plan import MOST_BLOCKS, MOST_LINES, PARTITIONS
from .shape import fields, list_of, one, or_null, parse_shape, text, tuple_of, whole
from .state import LogState, State, changed, empty_state

FORMAT = "urlmill set on disk"
VERSION = 1

_MOST = (1 << 32) - 1
"""The most that fits in 32 bits, as the kernel and blocks have numbers."""
_BEGINNING = fields(
    {"format": one(FORMAT), "version": whole(1), "set": whole(0, _MOST), "identity": text(".*")}
)
_PARTITION = fields(
    {
        "generation": whole(1, _MOST),
        "keys": whole(1),
        "blocks": whole(1, MOST_BLOCKS),
        "lines": whole(0, MOST_LINES),
        "checksum": text("[0-9a-f]{32}"),
    }
)
_NUMBER = whole(0, PARTITIONS - 1)
_LOG = fields(
    {
        "number": whole(1, _MOST),
        "kind": one("added", "waiting"),
        "firstRow": whole(0),
        "rows": or_null(whole(0)),
        "durable": tuple_of(whole(0), whole(0), whole(0)),
        "hasPayloads": one(True, False),
        "merged": or_null(list_of(_NUMBER)),
    }
)
_CHANGE = fields(
    {},
    {
        "partitions": list_of(tuple_of(_NUMBER, _PARTITION)),
        "logs": list_of(_LOG),
        "logsMade": whole(0, _MOST),
        "settled": whole(0),
    },
)


class Contents(NamedTuple):
    """Holds what a manifest says. `set` is the number that all files of the set have."""

    set: int
    identity: Identity
    state: State


def read_records(records: Sequence[bytes], name: str) -> Contents:
    """Read the records of a manifest. Raise `SEEN_CORRUPT` if they are not what a set on disk writes."""
    if len(records) < 2:
        raise SeenError("SEEN_CORRUPT", f"{name} is damaged, or is not of a set on disk")
    beginning = parse_shape(records[0], _BEGINNING, name)
    version = beginning["version"]
    if version != VERSION:
        raise SeenError("SEEN_CORRUPT", f"{name} is of version {version}, not {VERSION}")
    identity = Identity.decode(beginning["identity"], name)
    state = empty_state()
    for record in records[1:]:
        changed(state, parse_shape(record, _CHANGE, name))
    logs = state["logs"]
    is_right = all(log["number"] <= state["logsMade"] and _fits(log) for log in logs)
    if not is_right or len({log["number"] for log in logs}) < len(logs):
        raise SeenError("SEEN_CORRUPT", f"{name} is damaged: its logs contradict each other")
    return Contents(beginning["set"], identity, state)


def _fits(log: LogState) -> bool:
    """Say whether the fields of a log do not contradict each other."""
    if log["kind"] == "added":
        return log["rows"] is None and log["merged"] is not None and not log["hasPayloads"]
    return log["rows"] is not None or log["merged"] is not None
