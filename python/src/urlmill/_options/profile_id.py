"""The short name of everything a result depends on but the input."""

from __future__ import annotations

from .tables import SPEC_VERSION, UNICODE_VERSION

_OFFSET = 0xCBF29CE484222325
_PRIME = 0x100000001B3
_MASK = (1 << 64) - 1


def profile_id(plan: bytes) -> str:
    """Return the profile id of a plan: 16 hex digits, equal to those of the TypeScript package.

    It is the hash (FNV-1a, 64 bits) of the specification's version, the Unicode version and the
    plan. Store it with keys that outlive the process.
    """
    hashed = _OFFSET
    for byte in f"{SPEC_VERSION} {UNICODE_VERSION} ".encode() + plan:
        hashed = (hashed ^ byte) * _PRIME & _MASK
    return f"{hashed:016x}"
