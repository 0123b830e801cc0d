"""Writes a plan: little-endian 32-bit words, one after the other.

The layout stands in src/plan/layout.ts. Addresses are bytes from the beginning of the plan.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from .tables import ENTRY, HASH_START, HEADER, KIND, TABLE

_PRIME = 0x01000193
_WORD = 0xFFFFFFFF


def hash_forward(name: str) -> int:
    """Return the hash of a name from its first byte on (FNV-1a, 32 bits)."""
    hashed = HASH_START
    for byte in name.encode("ascii"):
        hashed = (hashed ^ byte) * _PRIME & _WORD
    return hashed


def hash_backward(name: str) -> int:
    """Return the hash of a name from its last byte on."""
    return hash_forward(name[::-1])


class Entry(NamedTuple):
    """A name of a table, with the number of its kind and a value."""

    name: str
    kind: int
    value: int = 0


class PlanWriter:
    """Collects the words of a plan."""

    def __init__(self) -> None:
        self._words: list[int] = []
        self._written: dict[Hashable, int] = {}

    def once(self, key: Hashable, write: Callable[[], int]) -> int:
        """Return the address at which ``write`` wrote the part named ``key``. Call ``write`` once."""
        at = self._written.get(key)
        if at is None:
            at = self._written[key] = write()
        return at

    def reserve(self, words: int) -> int:
        """Return the address of so many new words, which are 0."""
        at = 4 * len(self._words)
        self._words.extend([0] * words)
        return at

    def set(self, address: int, value: int) -> None:
        """Write one word."""
        self._words[address // 4] = value

    def need_version(self, version: int) -> None:
        """Raise the version of the plan to that of a part that it has."""
        place = HEADER["VERSION"]
        self._words[place] = max(version, self._words[place])

    def bytes(self) -> bytes:
        """Return the plan."""
        return struct.pack(f"<{len(self._words)}I", *self._words)

    def append(self, words: Iterable[int]) -> int:
        """Write words at the end and return their address."""
        at = 4 * len(self._words)
        self._words.extend(words)
        return at

    def words(self, words: Sequence[int]) -> int:
        """Write words and return their address. Write equal words once."""
        shared = tuple(words)
        return self.once(("words", shared), lambda: self.append(shared))

    def shared_text(self, text: str) -> int:
        """Write a text and return its address. Write equal texts once."""
        return self.once(("text", text), lambda: self.text(text))

    def text(self, text: str) -> int:
        """Write a text and return its address."""
        at = self.append([len(text)])
        self._characters(text)
        return at

    def optional_table(
        self,
        entries: Sequence[Entry],
        hash_name: Callable[[str], int] = hash_forward,
        ignore_case: bool = False,
    ) -> int:
        """Write a table as ``table`` does; return 0 where it has no entry."""
        return self.table(entries, hash_name, ignore_case) if entries else 0

    def table(
        self,
        given: Iterable[Entry],
        hash_name: Callable[[str], int] = hash_forward,
        ignore_case: bool = False,
    ) -> int:
        """Write a table and return its address. An entry that stands twice is written once."""
        unique = {(entry.kind, entry.name): entry for entry in given}
        entries = [unique[key] for key in sorted(unique)]
        slots = 1 << (2 * len(entries)).bit_length()
        at = self.reserve(TABLE["WORDS"] + slots)
        lengths = {KIND["PREFIX"]: 0, KIND["SUFFIX"]: 0}
        for entry in entries:
            is_suffix = entry.kind == KIND["SUFFIX"]
            hashed = (hash_backward if is_suffix else hash_name)(entry.name)
            self._enter(at, slots, hashed, self._entry(entry, hashed))
            if entry.kind in lengths:
                lengths[entry.kind] |= 1 << (min(len(entry.name), 32) - 1)
        self.set(at + 4 * TABLE["MASK"], slots - 1)
        self.set(at + 4 * TABLE["IGNORE_CASE"], int(ignore_case))
        self.set(at + 4 * TABLE["PREFIX_LENGTHS"], lengths[KIND["PREFIX"]])
        self.set(at + 4 * TABLE["SUFFIX_LENGTHS"], lengths[KIND["SUFFIX"]])
        longest = max((len(entry.name) for entry in entries), default=0)
        self.set(at + 4 * TABLE["LONGEST"], longest)
        return at

    def _entry(self, entry: Entry, hashed: int) -> int:
        at = self.reserve(ENTRY["WORDS"])
        self.set(at + 4 * ENTRY["HASH"], hashed)
        self.set(at + 4 * ENTRY["KIND"], entry.kind)
        self.set(at + 4 * ENTRY["VALUE"], entry.value)
        self.set(at + 4 * ENTRY["LENGTH"], len(entry.name))
        self._characters(entry.name)
        return at

    def _enter(self, table: int, slots: int, hashed: int, entry: int) -> None:
        """Linear probing."""
        first = table // 4 + TABLE["WORDS"]
        slot = hashed & (slots - 1)
        while self._words[first + slot] != 0:
            slot = (slot + 1) & (slots - 1)
        self._words[first + slot] = entry

    def _characters(self, text: str) -> None:
        padded = text.encode("ascii") + bytes(-len(text) % 4)
        self._words.extend(struct.unpack(f"<{len(padded) // 4}I", padded))
