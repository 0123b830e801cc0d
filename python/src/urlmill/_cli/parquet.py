"""Runs on files of Parquet, by pyarrow. All columns and their types stay."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, BinaryIO

from .._errors import OptionError, needing_pyarrow
from .._normalizer import Normalizer
from .._status import Status
from .keep import LACKS_LINES, keep_of
from .parquet_rows import FirstRows, KeptRows
from .parquet_values import url_column
from .readings import States
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
        import pyarrow.parquet  # noqa: F401
    files, output = places
    if output == "-" or "-" in files:
        raise OptionError(
            "BAD_OPTION", "Parquet is read from files and written to one: name it with -o FILE"
        )
    keep = keep_of(flags.get("keep"))
    if keep is not None:
        _write_chosen(KeptRows(normalizer, flags, counts, keep), normalizer, flags, places, counts)
        return
    rows = FirstRows(normalizer, flags, counts) if command == "dedupe" else None
    with replaced(output) as written:
        _write(files, _Table(normalizer, flags, counts, rows), written)


def _write_chosen(
    rows: KeptRows,
    normalizer: Normalizer,
    flags: dict[str, Any],
    places: tuple[list[str], str],
    counts: Counts,
) -> None:
    """Read files to choose which of their rows are written, and write these."""
    files, output = places
    states = States(files)
    for file in files:
        for batch in _batches(file, rows.check):
            rows.read(batch)
    rows.choose()
    states.check("nothing is written")
    with replaced(output) as written:
        _write(files, _Table(normalizer, flags, counts, rows), written)
        rows.check_end()
        states.check(LACKS_LINES)


def _write(files: list[str], work: "_Table", written: BinaryIO) -> None:
    import pyarrow.parquet as pq

    with ExitStack() as open_files:
        writer: Any = None
        for file in files:
            for batch in map(work.write, _batches(file)):
                if writer is None:
                    writer = open_files.enter_context(pq.ParquetWriter(written, batch.schema))
                if batch.num_rows > 0:
                    writer.write_batch(batch)


def _batches(file: str, check: Callable[[Any, str], None] | None = None) -> Iterator[Any]:
    """Return the batches of a file, first one without rows, which has its columns.

    `check` looks at the schema. Raise `Stopped` for a file that is no Parquet or is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with open(file, "rb") as opened, pq.ParquetFile(opened) as source:
            if check is not None:
                check(source.schema, file)
            yield pa.RecordBatch.from_pylist([], source.schema_arrow)
            yield from source.iter_batches()
    except (pa.ArrowException, OSError) as error:
        if getattr(error, "filename", None):
            raise
        raise Stopped(f"cannot read {file}: {str(error).splitlines()[0]}") from error


class _Table:
    """Makes of each batch of rows what is written: of all rows, or of those that `rows` names."""

    def __init__(
        self,
        normalizer: Normalizer,
        flags: dict[str, Any],
        counts: Counts,
        rows: "FirstRows | KeptRows | None",
    ) -> None:
        self._normalizer = normalizer
        self._flags = flags
        self._counts = counts
        self._emit = flags.get("emit", "normalized" if rows is None else "original")
        self._field = flags.get("field", "url")
        self._rows = rows

    def write(self, batch: Any) -> Any:
        """Return the rows of a batch that are written."""
        import pyarrow as pa

        url_column(batch, self._field)
        kept = batch
        if self._rows is not None:
            kept = batch.filter(pa.array(self._rows.written(batch), pa.bool_()))
        return kept if self._emit == "original" else self._with_urls(kept)

    def _with_urls(self, batch: Any) -> Any:
        import pyarrow.compute as pc

        column = url_column(batch, self._field)
        call = (
            self._normalizer.surt_batch
            if self._flags.get("form") == "surt"
            else self._normalizer.normalize_batch
        )
        urls, status = call(column, self._flags.get("base"))
        if self._rows is None:
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
