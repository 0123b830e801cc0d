"""Files of sets in memory: what the set was made with, its fingerprints, and a hash of both.

A file has a line that names it, 12 bytes of numbers (bits, bytes of the plan, bytes of the key), the plan, the key,
fingerprints of 16 or 8 bytes in rising order, and the SHA-256 of all bytes before it. Numbers are little-endian.
"""

import os
import secrets
import struct
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ._errors import OptionError, SeenError
from ._kernel import check_plan

_MAGIC = b"urlmill set of fingerprints 1\n"
_NUMBERS = struct.Struct("<III")
_HASH_BYTES = 32


class SavedSet(NamedTuple):
    """Is what a file has."""

    plan: bytes
    key: bytes
    bits: int
    fingerprints: memoryview


def save_set(
    path: "str | os.PathLike[str]", plan: bytes, key: bytes, bits: int, pieces: Iterable[bytes]
) -> None:
    """Write a set to a file that only its owner may read. The file is there whole, or as it was before."""
    target = Path(path)
    # Threads may save to one path.
    unfinished = target.with_name(f"{target.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        with open(unfinished, "xb", opener=_private) as file:
            digest = sha256()
            for piece in _pieces(plan, key, bits, pieces):
                digest.update(piece)
                file.write(piece)
            file.write(digest.digest())
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def _pieces(plan: bytes, key: bytes, bits: int, pieces: Iterable[bytes]) -> Iterator[bytes]:
    yield _MAGIC + _NUMBERS.pack(bits, len(plan), len(key)) + plan + key
    yield from pieces


def read_set(path: "str | os.PathLike[str]") -> SavedSet:
    """Read what `save_set` wrote. Raise `SEEN_CORRUPT` for other bytes, `SEEN_MISMATCH` for another release's plan."""
    data = memoryview(Path(path).read_bytes())
    body = data[:-_HASH_BYTES]
    if data[: len(_MAGIC)] != _MAGIC or sha256(body).digest() != data[len(body) :]:
        raise SeenError("SEEN_CORRUPT", f"{path} is damaged, or is not what SeenSet.save wrote")
    at = len(_MAGIC) + _NUMBERS.size
    bits, plan_bytes, key_bytes = _NUMBERS.unpack(body[len(_MAGIC) : at])
    key_at, rows_at = at + plan_bytes, at + plan_bytes + key_bytes
    try:
        plan = check_plan(bytes(body[at:key_at]))
    except OptionError as error:
        raise SeenError("SEEN_MISMATCH", f"{path} is of another release: {error}") from error
    return SavedSet(plan, bytes(body[key_at:rows_at]), bits, body[rows_at:])
