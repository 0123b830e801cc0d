"""Runs of `dedupe --keep` on records of text: they read to choose, and read again to write."""

import secrets
from collections.abc import Iterator
from typing import Any, BinaryIO

from .._kernel import KEY_BYTES
from .._normalizer import Normalizer
from .._status import Status
from .csv_table import Csv, Format
from .files import lines_of
from .keep import LACKS_LINES, Chosen, Keep, Winners
from .readings import States, readable_twice
from .records import Record
from .run import Counts, List, Normalize, batches, run
from .seen import EarlierKeys, keys_of


class Keeping:
    """Writes one record of each normalized URL, and of each other text, which it chooses first."""

    _chosen: Chosen

    def __init__(
        self,
        normalizer: Normalizer,
        flags: dict[str, Any],
        keep: Keep,
        earlier: EarlierKeys | None = None,
    ) -> None:
        self._normalizer = normalizer
        self._base = flags.get("base")
        self._is_original = flags.get("emit", "original") == "original"
        self._write = Normalize(normalizer, flags)
        self._earlier = earlier
        self._key = secrets.token_bytes(KEY_BYTES) if earlier is None else earlier.key
        self._winners = Winners(keep)

    def read(self, records: list[Record], form: Format, counts: Counts) -> None:
        """Take a batch from which records are chosen."""
        rows = [record for record in records if not record.is_other]
        status, keys = keys_of(self._normalizer, self._key, rows, self._base)
        counts.records += len(rows)
        counts.located += sum(record.url is not None for record in rows)
        counts.errors += sum(code > Status.CHANGED for code in status)
        given: list[bytes | None] = [
            # A very long record has no key, and stays. No set keeps a key of this length.
            key or secrets.token_bytes(2 * KEY_BYTES)
            for key in keys
        ]
        if self._earlier is not None:
            known = self._earlier.known(keys)
            given = [None if is_known else key for key, is_known in zip(given, known, strict=True)]
        self._winners.take(given, map(form.value, rows))

    def choose(self) -> None:
        """End the first reading."""
        self._chosen = self._winners.chosen()
        if self._earlier is not None:
            kept = (key for key in self._winners.chosen_keys() if len(key) == KEY_BYTES)
            self._earlier.written += b"".join(kept)

    def check_end(self) -> None:
        """End the second reading."""
        self._chosen.check_end()

    def write(self, records: list[Record], form: Format, counts: Counts) -> Iterator[bytes]:
        """Return the records of a batch that were chosen, as they are written."""
        kept = [record for record in records if record.is_other or self._chosen.next()]
        if self._is_original:
            return (record.text + record.end for record in kept)
        return self._write.write(kept, form, Counts())


def run_twice(work: Keeping, form: Format, files: list[str], out: BinaryIO, counts: Counts) -> None:
    """Read files to choose which of their records are written, and write these."""
    states = States(files)
    with readable_twice(files) as names:
        _name_quotes(form, False)
        for batch in batches(form, _lists(files, names)):
            work.read(batch, form, counts)
        work.choose()
        _name_quotes(form, True)
        states.check("nothing is written")
        run(work, form, _lists(files, names), out, counts)
        work.check_end()
        states.check(LACKS_LINES)


def _lists(files: list[str], names: list[str]) -> Iterator[List]:
    """Return the files with what is read in their place."""
    return zip(files, map(lines_of, names), strict=False)


def _name_quotes(form: Format, names: bool) -> None:
    """Say whether the quotes of a table are named that nothing closes: once is enough."""
    if isinstance(form, Csv):
        form.quotes.is_silent = not names
