"""Runs on files of Parquet, by pyarrow. All columns and their types stay."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, BinaryIO

from .._errors import OptionError, needing_pyarrow
from .._normalizer import Normalizer
from .._status import Status
from .hand_over import Unsupported
from .keep import LACKS_LINES, Keep, keep_of
from .messages import Stopped
from .parquet_rows import FirstRows, KeptRows, chosen_rows
from .parquet_schemas import Alike, check_added, check_int96, with_added, writer_options
from .parquet_values import check_url_column, check_value_column
from .readings import States
from .records import NORMALIZED
from .replaced import is_written_in_place, replaced
from .run import Counts


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
    if "seen" in flags:
        raise Unsupported("--seen with Parquet")
    keep = keep_of(flags.get("keep"))
    options = _checked(files, flags, keep)
    if keep is not None:
        kept = KeptRows(normalizer, flags, counts, keep)
        _write_chosen(kept, _Table(normalizer, flags, counts, kept), places, options)
        return
    rows = FirstRows(normalizer, flags, counts) if command == "dedupe" else None
    with _replaced(output) as written:
        _write(files, _Table(normalizer, flags, counts, rows), written, options)


def _checked(files: list[str], flags: dict[str, Any], keep: Keep | None) -> dict[str, Any]:
    """Look at the columns of all files. Return how pyarrow writes them.

    Raise `OptionError` if they cannot be written into one file, and `Unsupported` if pyarrow cannot do that.
    """
    alike, options = Alike(), dict[str, Any]()

    def check(source: Any, file: str) -> None:
        check_url_column(source.schema, flags.get("field", "url"), file)
        if keep is not None and keep.column != "":
            check_value_column(source.schema, keep, file)
        if flags.get("emit") == "both":
            check_added(source.schema_arrow, file)
        alike.check(source, file)
        check_int96(source, file)
        options.update(options or writer_options(source, file))

    for file in files:
        next(_batches(file, check))
    return options


def _write_chosen(
    rows: KeptRows, work: "_Table", places: tuple[list[str], str], options: dict[str, Any]
) -> None:
    """Read files to choose which of their rows are written, and write these."""
    files, output = places
    states = States(files)
    for file in files:
        for batch in _batches(file):
            rows.read(batch)
    rows.choose()
    states.check("nothing is written")
    with _replaced(output) as written:
        _write(files, work, written, options)
        rows.check_end()
        states.check(LACKS_LINES)


@contextmanager
def _replaced(output: str) -> Iterator[BinaryIO]:
    """Open the output. Raise `Stopped`, not `Unsupported`, if it has rows that another command would repeat."""
    try:
        with replaced(output) as written:
            yield written
    except Unsupported as unsupported:
        if not is_written_in_place(output):
            raise
        raise Stopped(
            f"the command of Python has no {unsupported}; {output} is incomplete"
        ) from unsupported


def _write(files: list[str], work: "_Table", written: BinaryIO, options: dict[str, Any]) -> None:
    import pyarrow.parquet as pq

    with ExitStack() as open_files:
        writer: Any = None
        for file in files:
            for batch in map(work.write, _batches(file)):
                if writer is None:
                    schema = with_added(batch.schema) if work.adds else batch.schema
                    writer = open_files.enter_context(pq.ParquetWriter(written, schema, **options))
                if batch.num_rows > 0:
                    writer.write_batch(batch)


def _batches(file: str, check: Callable[[Any, str], None] | None = None) -> Iterator[Any]:
    """Return the batches of a file, first one without rows, which has its columns.

    `check` looks at the file first. Raise `Stopped` for one that is no Parquet or is damaged, and `Unsupported` for one
    that pyarrow does not read whole.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with open(file, "rb") as opened, pq.ParquetFile(opened) as source:
            if check is not None:
                check(source, file)
            schema = source.schema_arrow
            yield pa.record_batch([pa.nulls(0, each.type) for each in schema], schema=schema)
            for group in range(source.num_row_groups):
                rows = 0
                # Dictionaries within lists may differ between row groups, and a batch has one.
                for batch in source.iter_batches(row_groups=[group]):
                    rows += batch.num_rows
                    yield batch
                if rows != source.metadata.row_group(group).num_rows:
                    raise Unsupported(f"reader of {file}, where pyarrow leaves out rows")
    except (pa.ArrowException, OSError) as error:
        if getattr(error, "filename", None):
            raise
        reason = str(error).splitlines()[0]
        if isinstance(error, pa.ArrowNotImplementedError) or "ot yet implemented" in reason:
            raise Unsupported(f"reader of {file} ({reason})") from error
        raise Stopped(f"cannot read {file}: {reason}") from error


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
        self.adds = self._emit == "both"
        self._field = flags.get("field", "url")
        self._rows = rows

    def write(self, batch: Any) -> Any:
        """Return the rows of a batch that are written."""
        kept = batch
        if self._rows is not None:
            kept = chosen_rows(batch, self._rows.written(batch))
        return kept if self._emit == "original" else self._with_urls(kept)

    def _with_urls(self, batch: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        column = batch[self._field]
        call = (
            self._normalizer.surt_batch
            if self._flags.get("form") == "surt"
            else self._normalizer.normalize_batch
        )
        urls, status = call(column, self._flags.get("base"))
        if self._rows is None:
            self._count(status)
        if self.adds:
            return batch.append_column(NORMALIZED.decode(), _as_text(urls))
        on_error = self._flags.get("on_error", "keep")
        place = batch.schema.get_field_index(self._field)
        # A null stays null.
        other = column if on_error == "keep" else pc.if_else(column.is_valid(), "", None)
        # pyarrow does not compute with views.
        kind = pa.large_string() if pa.types.is_string_view(urls.type) else urls.type
        filled = pc.coalesce(urls.cast(kind), other.cast(kind)).cast(urls.type)
        return batch.set_column(place, batch.schema.field(place), filled)

    def _count(self, status: Any) -> None:
        import pyarrow.compute as pc

        are_errors = pc.greater(status, Status.CHANGED.value)
        self._counts.errors += are_errors.true_count
        if are_errors.true_count > 0 and self._flags.get("on_error") == "fail":
            row = are_errors.index(True).as_py()
            number, name = self._counts.records + row + 1, Status(status[row].as_py()).name
            raise Stopped(f"row {number} is not a URL ({name}); stopped (--on-error fail)")
        self._counts.records += len(status)


def _as_text(urls: Any) -> Any:
    """Return URLs as text: those of a column of bytes are bytes, too."""
    import pyarrow as pa

    kinds = {pa.binary(): pa.string(), pa.large_binary(): pa.large_string()}
    return urls.cast(kinds.get(urls.type, urls.type))
