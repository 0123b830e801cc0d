"""Runs on files of Parquet, by pyarrow. All columns and their types stay."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from .._errors import OptionError, needing_pyarrow
from .._normalizer import Normalizer
from .._seen import SeenSet
from .._status import Status
from .records import NORMALIZED
from .replaced import replaced
from .run import Counts, Stopped


def run_parquet(
    command: str,
    normalizer: Normalizer,
    flags: dict[str, Any],
    places: tuple[list[str], str],
    counts: Counts,
) -> None:
    """Read files and write one: `places` has both. Raise `PackageMissingError` without pyarrow."""
    with needing_pyarrow("all"):
        import pyarrow.parquet as pq
    files, output = places
    if output == "-" or "-" in files:
        raise OptionError(
            "BAD_OPTION", "Parquet is read from files and written to one: name it with -o FILE"
        )
    work = _Table(command, normalizer, flags, counts)
    with replaced(output) as path, ExitStack() as open_files:
        writer: Any = None
        for file in files:
            for batch in _batches(file, work):
                if writer is None:
                    writer = open_files.enter_context(pq.ParquetWriter(path, batch.schema))
                if batch.num_rows > 0:
                    writer.write_batch(batch)


def _batches(file: str, work: "_Table") -> Iterator[Any]:
    """Return what is written of a file, first a batch without rows, which has its columns.

    Raise `Stopped` for a file that is no Parquet or is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with open(file, "rb") as opened, pq.ParquetFile(opened) as source:
            yield work.write(pa.RecordBatch.from_pylist([], source.schema_arrow))
            for batch in source.iter_batches():
                yield work.write(batch)
    except (pa.ArrowException, OSError) as error:
        if getattr(error, "filename", None):
            raise
        raise Stopped(f"cannot read {file}: {str(error).splitlines()[0]}") from error


class _Table:
    """Makes of each batch of rows what is written."""

    def __init__(
        self, command: str, normalizer: Normalizer, flags: dict[str, Any], counts: Counts
    ) -> None:
        self._normalizer = normalizer
        self._flags = flags
        self._counts = counts
        self._field = flags.get("field", "url")
        self._emit = flags.get("emit", "original" if command == "dedupe" else "normalized")
        self._seen = SeenSet(normalizer=normalizer) if command == "dedupe" else None
        self._rows: set[str] = set()

    def write(self, batch: Any) -> Any:
        """Return the rows of a batch that are written."""
        if self._field not in batch.schema.names:
            names = ", ".join(batch.schema.names)
            raise OptionError("BAD_OPTION", f'no column "{self._field}"; the columns are {names}')
        kept = batch if self._seen is None else batch.filter(self._kept(batch))
        return kept if self._emit == "original" else self._with_urls(kept)

    def _kept(self, batch: Any) -> Any:
        import pyarrow as pa

        assert self._seen is not None
        answers = self._seen.add_batch(batch[self._field], self._flags.get("base")).to_pylist()
        return pa.array(
            [self._is_kept(batch, row, answer) for row, answer in enumerate(answers)], pa.bool_()
        )

    def _is_kept(self, batch: Any, row: int, answer: int) -> bool:
        self._counts.records += 1
        if answer <= Status.CHANGED:
            return answer == 1
        self._counts.errors += 1
        whole = repr(batch.slice(row, 1).to_pylist())
        is_new = whole not in self._rows
        self._rows.add(whole)
        return is_new

    def _with_urls(self, batch: Any) -> Any:
        import pyarrow.compute as pc

        column = batch[self._field]
        call = (
            self._normalizer.surt_batch
            if self._flags.get("form") == "surt"
            else self._normalizer.normalize_batch
        )
        urls, status = call(column, self._flags.get("base"))
        if self._seen is None:
            self._count(status)
        if self._emit == "both":
            return batch.append_column(NORMALIZED.decode(), urls)
        on_error = self._flags.get("on_error", "keep")
        place = batch.schema.get_field_index(self._field)
        # A null stays null.
        other = column if on_error == "keep" else pc.if_else(column.is_valid(), "", None)
        filled = pc.coalesce(urls, other.cast(urls.type))
        return batch.set_column(place, batch.schema.field(place), filled)

    def _count(self, status: Any) -> None:
        import pyarrow.compute as pc

        errors = pc.sum(pc.greater(status, Status.CHANGED.value)).as_py() or 0
        self._counts.records += len(status)
        self._counts.errors += errors
        if errors > 0 and self._flags.get("on_error") == "fail":
            raise Stopped("a row is not a URL; stopped (--on-error fail)")
