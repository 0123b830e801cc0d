"""`dedupe --seen DIR`: rows of earlier runs are left out, whose keys a set on disk has."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .._batches import ListBatch
from .._errors import OptionError, PackageMissingError
from .._kernel import KEY_BYTES
from .._key_set import KeySet
from .._normalizer import Normalizer
from .._status import Status
from .flags import options_of_sites, snake
from .hand_over import Unsupported
from .records import Record, longest_text

if TYPE_CHECKING:
    from .._disk import DiskStore

_FILES = {"rules": "--rules", "page_aliases": "--page-aliases"}
"""The options of which a set keeps a digest, with their flags."""


def keys_of(
    normalizer: Normalizer, key: bytes, records: Sequence[Record], base: str | None
) -> tuple[bytes, list[bytes]]:
    """Return the status of each URL, and the key of each record as docs/spec.md says: none for a very long text."""
    found = normalizer._keys_of(ListBatch([record.url for record in records], False), key, base)
    keys = [found.flat[at : at + KEY_BYTES] for at in range(0, len(found.flat), KEY_BYTES)]
    longest = longest_text(normalizer.plan)
    with normalizer._kernels.lend(b"") as kernel:
        for row, (record, code) in enumerate(zip(records, found.codes, strict=True)):
            if code > Status.CHANGED:
                has_key = not record.is_other and len(record.text) <= longest
                keys[row] = kernel.fingerprint_text(record.text, key) if has_key else b""
    return found.codes, keys


class EarlierKeys:
    """Has the keys of earlier runs in a set on disk, and gets those of a run after its output is on disk."""

    def __init__(self, store: "DiskStore", normalizer: Normalizer, base: str | None) -> None:
        self._store = store
        self._normalizer = normalizer
        self._base = base
        self._asked = KeySet()
        self.key = store.key
        self.written = bytearray()
        """The keys of the rows that the run writes."""

    def look(self, records: Sequence[Record]) -> tuple[bytes, list[bool]]:
        """Return the status of each URL, and whether the record is the first of its key in all runs."""
        codes, keys = keys_of(self._normalizer, self.key, records, self._base)
        first = iter(self._asked.add(memoryview(b"".join(keys))))
        are_new = [key == b"" or next(first) == 1 for key in keys]
        asked = [key if is_new else b"" for key, is_new in zip(keys, are_new, strict=True)]
        for row, is_known in enumerate(self.known(asked)):
            if is_known:
                are_new[row] = False
            else:
                self.written += asked[row]
        return codes, are_new

    def known(self, keys: Sequence[bytes]) -> list[bool]:
        """Say of each key whether an earlier run has written it. Empty ones are not known."""
        answers = iter(self._store.has(b"".join(keys)))
        return [key != b"" and next(answers) == 1 for key in keys]

    def record(self) -> None:
        """Add the keys of the rows that were written."""
        from .._disk.plan import BATCH

        step = BATCH * KEY_BYTES
        for at in range(0, len(self.written), step):
            self._store.add(self.written[at : at + step])


def _is_row_form(flags: dict[str, Any]) -> bool:
    """Say whether the keys of a run are of another text than the normalized URL."""
    return flags.get("form", "url") not in ("url", "surt")


@contextmanager
def earlier_keys(
    normalizer: Normalizer, flags: dict[str, Any], options: dict[str, Any]
) -> Iterator[EarlierKeys | None]:
    """Open the set of `--seen`, or begin one; yield None without the flag. Raise what `SeenSet.open` raises."""
    if "seen" not in flags:
        yield None
        return
    from .._disk import Identity, open_store, settings_of
    from .._disk.plan import LEAST_MEMORY
    from .._disk.settings import default_memory

    wanted = Identity.of(Normalizer(**options), None)
    if _is_row_form(flags):
        made = {**wanted.options, "output": flags["form"]}
        wanted = replace(wanted, profile_id=normalizer.profile_id, options=made)
    memory = max(LEAST_MEMORY, default_memory() // 2)
    store = open_store(settings_of(flags["seen"], memory, "close", True), wanted, False)
    try:
        yield EarlierKeys(store, normalizer, flags.get("base"))
    finally:
        store.close()


def files_of_set(flags: dict[str, Any]) -> list[str]:
    """Return the files of the set of `--seen`, which no output may replace."""
    directory = flags.get("seen")
    return [] if directory is None else [entry.path for entry in os.scandir(directory)]


def options_of_set(flags: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a run: if the call gives none, those of the set of `--seen`.

    Raise `Unsupported` for a set that only Node reads, before anything is read.
    """
    if "seen" not in flags:
        if "store" in flags:
            message = "--store says how a set is made: give --seen DIR, too"
            raise OptionError("BAD_OPTION", message)
        return given
    from .._disk import other_store, read_identity
    from .._disk.lock import check_system

    try:
        check_system()
    except PackageMissingError as error:
        raise Unsupported("--seen on this system") from error
    directory = flags["seen"]
    if (other := other_store(directory)) is not None:
        raise Unsupported(f"reader of {directory}, which is {other}, not a set on disk")
    has_own = not given.keys() <= {*_FILES, "engine"} or _is_row_form(flags)
    if has_own or (made := read_identity(directory)) is None:
        return given
    own = {snake(name): value for name, value in made.options.items() if name != "output"}
    if "plan" in own:
        return given  # no flags make that plan: opening the set refuses them
    for name, flag in _FILES.items():
        if own.pop(name, None) is not None and name not in given:
            raise OptionError("BAD_OPTION", f"{directory} was made with {flag}: give {flag} FILE")
    if "sites" in own:
        own["sites"] = options_of_sites(own["sites"])
    return {**own, **given}
