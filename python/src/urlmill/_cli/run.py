"""Runs of `normalize` and `dedupe` on records of text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, BinaryIO, Protocol

from .._normalizer import Normalizer
from .._seen import SeenSet
from .._status import Status
from .csv_table import Format
from .messages import Stopped
from .records import Record, longest_text

_BATCH = 8192


@dataclass
class Counts:
    """Counts what a run read."""

    records: int = 0
    errors: int = 0
    located: int = 0
    """The records that have the field of the URL."""


class Normalize:
    """Writes each record with its normalized URL."""

    def __init__(self, normalizer: Normalizer, flags: dict[str, Any]) -> None:
        self._normalizer = normalizer
        self._base = flags.get("base")
        self._is_surt = flags.get("form") == "surt"
        self._both = flags.get("emit") == "both"
        self._on_error = flags.get("on_error", "keep")

    def write(self, records: list[Record], form: Format, counts: Counts) -> Iterator[bytes]:
        """Return the records of a batch as they are written."""
        call = self._normalizer.surt_batch if self._is_surt else self._normalizer.normalize_batch
        values, status = call([record.url for record in records], self._base)
        for record, value, code in zip(records, values, status, strict=True):
            counts.records += 1
            counts.located += record.url is not None
            if value is None and not record.is_other:
                counts.errors += 1
                if self._on_error == "fail":
                    name = "NO_FIELD" if record.url is None else Status(code).name
                    fault = record.fault or f"line {counts.records} is not a URL ({name})"
                    raise Stopped(f"{fault}; stopped (--on-error fail)")
            yield self._written(record, value, form)

    def _written(self, record: Record, value: str | None, form: Format) -> bytes:
        url = None if value is None else value.encode()
        if self._both:
            return form.with_url(record, url)
        if record.is_other or (url is None and self._on_error == "keep"):
            return form.unread(record)
        return form.normalized(record, url or b"")


class Dedupe:
    """Writes the first record of each normalized URL; one without a URL is compared as a whole."""

    def __init__(
        self, normalizer: Normalizer, flags: dict[str, Any], firsts: "Firsts | None" = None
    ) -> None:
        self._firsts = firsts or FirstsInMemory(normalizer, flags.get("base"))
        self._emit = flags.get("emit", "original")
        self._write = Normalize(normalizer, flags)

    def write(self, records: list[Record], form: Format, counts: Counts) -> Iterator[bytes]:
        """Return the records of a batch that are new, as they are written."""
        codes, are_new = self._firsts.look(records)
        counts.records += len(records)
        counts.located += sum(record.url is not None for record in records)
        counts.errors += sum(
            code > Status.CHANGED and not record.is_other
            for record, code in zip(records, codes, strict=True)
        )
        kept = list(compress(records, are_new))
        if self._emit == "original":
            return (record.text + record.end for record in kept)
        return self._write.write(kept, form, Counts())


class Firsts(Protocol):
    """Says which records are the first of their URL or text."""

    def look(self, records: Sequence[Record]) -> tuple[bytes, list[bool]]:
        """Return the status of each URL, and whether the record is written."""


class FirstsInMemory:
    """Says so by a set of the URLs and texts of one run."""

    def __init__(self, normalizer: Normalizer, base: str | None) -> None:
        self._base = base
        self._longest = longest_text(normalizer.plan)
        self._seen = SeenSet(normalizer=normalizer)
        self._texts: set[bytes] = set()

    def look(self, records: Sequence[Record]) -> tuple[bytes, list[bool]]:
        """Return the status of each URL, 0 or 1 for any that is one, and whether the record is written."""
        answers = self._seen.add_batch([record.url for record in records], self._base)
        return answers, [
            self._is_new(record, answer) for record, answer in zip(records, answers, strict=True)
        ]

    def _is_new(self, record: Record, answer: int) -> bool:
        if record.is_other or answer <= Status.CHANGED:
            return record.is_other or answer == 1
        if len(record.text) > self._longest:
            return True
        is_new = record.text not in self._texts
        self._texts.add(record.text)
        return is_new


class Work(Protocol):
    """Makes of records what is written of them."""

    def write(self, records: list[Record], form: Format, counts: Counts) -> Iterable[bytes]:
        """Return the pieces that are written of a batch."""


List = tuple[str, Iterable[bytes]]
"""A name and lines."""


def run(work: Work, form: Format, lists: Iterable[List], out: BinaryIO, counts: Counts) -> None:
    """Read lists and write what the work makes of them. The header of the first list is kept."""
    for batch in batches(form, lists):
        for piece in work.write(batch, form, counts):
            out.write(piece)


def batches(form: Format, lists: Iterable[List]) -> Iterator[list[Record]]:
    """Return the records of lists, without the headers of all but the first that has one."""
    has_header = False
    for name, lines in lists:
        is_later = has_header
        batch: list[Record] = []
        try:
            for record in form.records(lines, name):
                has_header |= record.is_header
                if is_later and record.is_header:
                    continue
                batch.append(record)
                if len(batch) == _BATCH:
                    yield batch
                    batch = []
        except Stopped:
            # What comes before is written.
            yield batch
            raise
        yield batch
