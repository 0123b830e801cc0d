"""What runs of the command left in the directory of a set (src/seen/pending/finish-runs.ts).

A run with `--seen` and `-o` holds its keys in a file `run-….keys` until its output is in place. Then a record
`run-….json` names that file, and whoever opens the set adds the keys and removes the file.
"""

import os
import re
from collections.abc import Callable
from typing import Any, Protocol
from zlib import crc32

from .._errors import SeenError
from .files import Data, open_file, read_some, size_of
from .plan import BATCH, FINGERPRINT
from .shape import fields, list_of, one, parse_shape, text, whole

_KEYS = re.compile(r"run-\d+-[0-9a-f]{8}\.keys")
_RECORD = re.compile(r"run-[0-9a-f]{32}\.json")
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
        _finish(directory, os.listdir(directory), profile_id, open_set)
    except (FileNotFoundError, NotADirectoryError):
        return  # opening the set reports it
    except OSError as error:
        raise SeenError("SEEN_FAILED", f"{directory}: {error.strerror}") from error


def _finish(
    directory: str, names: list[str], profile_id: str, open_set: Callable[[], KeyTaker]
) -> None:
    pending = [name for name in names if _KEYS.fullmatch(name)]
    if not pending:
        return
    records = [_read(os.path.join(directory, name)) for name in names if _RECORD.fullmatch(name)]
    runs = {record["keys"]["name"]: record for record in records}
    for name in pending:
        path = os.path.join(directory, name)
        if name in runs:
            _add(path, runs[name], profile_id, open_set())
        else:
            _remove_unlocked(path)


def _read(path: str) -> dict[str, Any]:
    with open_file(path, "r") as file:
        record: dict[str, Any] = parse_shape(read_some(file, size_of(file), 0), _SHAPE, path)
    return record


def _add(path: str, run: dict[str, Any], profile_id: str, taker: KeyTaker) -> None:
    try:
        if run["profileId"] != profile_id or run["bits"] != 8 * FINGERPRINT:
            raise _damaged(path, "is of another set")
        with open_file(path, "r") as file:
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
    os.unlink(path)


def _remove_unlocked(path: str) -> None:
    """Remove the keys of a run that has died. Those of a run that goes on are locked."""
    import fcntl

    with open_file(path, "r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        os.unlink(path)


def _damaged(path: str, why: str) -> SeenError:
    text = f"{path} {why}: remove it; lines of the run that wrote it may come again"
    return SeenError("SEEN_CORRUPT", text)
