"""What runs of the command left in the directory of a set (src/seen/pending/finish-runs.ts).

A run with `--seen` and `-o` holds its keys in a file `run-….keys` until its output is in place. Then a record
`run-….json` names that file, and whoever opens the set adds the keys and removes the file.
"""

import os
import re
from collections.abc import Callable
from io import FileIO
from typing import Any, Protocol
from zlib import crc32

from .._errors import SeenError
from .files import Data, open_own, read_some, remove, size_of, stat_own
from .plan import BATCH, FINGERPRINT
from .shape import fields, list_of, one, parse_shape, text, whole

_KEYS = re.compile(r"run-\d+-[0-9a-f]{8}\.keys")
_RECORD = re.compile(r"run-[0-9a-f]{32}\.json")
_MOST_BYTES = 1 << 24
"""The most bytes of a record, as in src/seen/folder/own-file.ts."""
_STEP = BATCH * FINGERPRINT
_STATES = list_of(list_of(text(".*")))
_SHAPE = fields(
    {
        "version": one(1),
        "profileId": text(".*"),
        "bits": one(64, 128),
        # A name with a slash would lead to another directory.
        "keys": fields(
            {"name": text(_KEYS.pattern), "bytes": whole(0), "checksum": whole(0, 2**32 - 1)}
        ),
        "call": text(".*"),
        "outputs": _STATES,
    }
)


class KeyTaker(Protocol):
    """Takes the keys of a run. Closing it makes them durable."""

    key: bytes

    def add(self, fingerprints: Data) -> bytes: ...

    def close(self) -> None: ...


def finish_runs(directory: str, profile_id: str, open_set: Callable[[], KeyTaker]) -> None:
    """Add the keys of runs whose output is in place, and remove those of runs that died.

    Raise `SEEN_CORRUPT`, and `SEEN_FAILED` if the system refuses a call.
    """
    try:
        pending = _paths(directory, _KEYS)
        if not pending:
            return
        dead = {path for path in pending if _is_unlocked(path)}
        # Read the records after that: a run that has died writes none.
        records = filter(None, map(_read, _paths(directory, _RECORD)))
        runs = {os.path.join(directory, record["keys"]["name"]): record for record in records}
        for path in pending:
            if path in runs:
                _add(path, runs[path], profile_id, open_set())
            elif path in dead:
                remove(path)
    except (FileNotFoundError, NotADirectoryError):
        return  # opening the set reports it
    except OSError as error:
        raise SeenError("SEEN_FAILED", f"{directory}: {error.strerror}") from error


def _paths(directory: str, names: "re.Pattern[str]") -> list[str]:
    return [
        os.path.join(directory, name) for name in os.listdir(directory) if names.fullmatch(name)
    ]


def _open(path: str, mode: str) -> FileIO | None:
    """Open a file; None if another process has removed it since it was listed."""
    try:
        stat_own(path, mode == "r+")
        return FileIO(path, mode, opener=open_own)
    except FileNotFoundError:
        return None


def _read(path: str) -> dict[str, Any] | None:
    """Return a record, None if it was removed. Raise `SEEN_CORRUPT` if it is far too long, or not a record."""
    file = _open(path, "r")
    if file is None:
        return None
    with file:
        size = size_of(file)
        if size > _MOST_BYTES:
            raise SeenError("SEEN_CORRUPT", f"{path} is damaged: it has {size} bytes")
        record: dict[str, Any] = parse_shape(read_some(file, size, 0), _SHAPE, path)
    return record


def _is_unlocked(path: str) -> bool:
    """Say whether the keys are of a run that has died. Those of a run that goes on are locked.

    Keys that cannot be locked here stay, as in Node.
    """
    import fcntl

    try:
        file = _open(path, "r+")
        if file is None:
            return False
        with file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (OSError, SeenError):
        return False
    return True


def _add(path: str, run: dict[str, Any], profile_id: str, taker: KeyTaker) -> None:
    try:
        if run["profileId"] != profile_id or run["bits"] != 8 * FINGERPRINT:
            raise _damaged(path, "is of another set")
        file = _open(path, "r")
        if file is None:
            return  # another process has added them
        with file:
            size, checksum = run["keys"]["bytes"], 0
            if size != size_of(file):
                raise _damaged(path, "does not have its keys")
            for at in range(0, size, _STEP):
                checksum = crc32(read_some(file, min(_STEP, size - at), at), checksum)
            if checksum != run["keys"]["checksum"]:
                raise _damaged(path, "does not have its keys")
            for at in range(0, size, _STEP):
                taker.add(read_some(file, min(_STEP, size - at), at))
    finally:
        taker.close()
    remove(path)


def _damaged(path: str, why: str) -> SeenError:
    text = f"{path} {why}: remove it; lines of the run that wrote it may come again"
    return SeenError("SEEN_CORRUPT", text)
