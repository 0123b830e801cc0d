"""Which rows of Parquet `dedupe` writes: the first of each URL, or another one."""

import secrets
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from .._kernel import KEY_BYTES
from .._normalizer import Normalizer
from .._seen import SeenSet
from .._status import Status
from .keep import Chosen, Keep, Winners
from .parquet_values import values_of
from .run import Counts


class FirstRows:
    """Says which rows are the first with their URL. One without a URL is compared as a whole."""

    def __init__(self, normalizer: Normalizer, flags: dict[str, Any], counts: Counts) -> None:
        self._field = flags.get("field", "url")
        self._base = flags.get("base")
        self._counts = counts
        self._seen = SeenSet(normalizer=normalizer)
        self._rows: set[bytes] = set()

    def written(self, batch: Any) -> list[bool]:
        """Say of each row of a batch whether it is written."""
        answers = self._seen.add_batch(batch[self._field], self._base).to_pylist()
        return [self._is_written(batch, row, answer) for row, answer in enumerate(answers)]

    def _is_written(self, batch: Any, row: int, answer: int) -> bool:
        self._counts.records += 1
        if answer <= Status.CHANGED:
            return answer == 1
        self._counts.errors += 1
        whole = whole_row(batch, row)
        is_new = whole not in self._rows
        self._rows.add(whole)
        return is_new


class KeptRows:
    """Says which rows were chosen, after it read all."""

    _chosen: Chosen

    def __init__(
        self, normalizer: Normalizer, flags: dict[str, Any], counts: Counts, keep: Keep
    ) -> None:
        self._normalizer = normalizer
        self._field = flags.get("field", "url")
        self._base = flags.get("base")
        self._counts = counts
        self._keep = keep
        self._key = secrets.token_bytes(KEY_BYTES)
        self._winners = Winners(keep)

    def read(self, batch: Any) -> None:
        """Take a batch from which rows are chosen."""
        keys, _ = self._normalizer.fingerprint_batch(batch[self._field], self._key, base=self._base)
        self._counts.records += batch.num_rows
        self._counts.errors += batch.num_rows - (len(keys) - keys.null_count)
        has_values = self._keep.column != ""
        values: Iterable[bytes] = (
            values_of(batch, self._keep) if has_values else [b""] * batch.num_rows
        )
        whole = (
            whole_row(batch, row) if key is None else key
            for row, key in enumerate(keys.to_pylist())
        )
        self._winners.take(whole, values)

    def choose(self) -> None:
        """End the first reading."""
        self._chosen = self._winners.chosen()

    def check_end(self) -> None:
        """End the second reading."""
        self._chosen.check_end()

    def written(self, batch: Any) -> list[bool]:
        """Say of each row of a batch whether it was chosen."""
        return [self._chosen.next() for _ in range(batch.num_rows)]


def whole_row(batch: Any, row: int) -> bytes:
    """Return bytes that equal rows have. They are longer than any fingerprint."""
    return f"whole row: {[_plain(column[row]) for column in batch.columns]}".encode()


def _plain(scalar: Any) -> Any:
    """Return a value of Arrow as one of Python with a text of its own. Python has none for some texts and dates."""
    import pyarrow as pa

    if not scalar.is_valid:
        return None
    if hasattr(scalar, "as_buffer"):
        return scalar.as_buffer().to_pybytes()
    if pa.types.is_struct(scalar.type):
        # By number: two fields may have one name.
        return [_plain(scalar[at]) for at in range(scalar.type.num_fields)]
    if hasattr(scalar, "values"):
        return [_plain(each) for each in scalar.values]
    if not hasattr(scalar, "value"):
        return scalar.as_py()
    # The number of a date or time, or what an extension or a dictionary holds.
    return _plain(scalar.value) if isinstance(scalar.value, pa.Scalar) else scalar.value


def chosen_rows(batch: Any, marks: list[bool]) -> Any:
    """Return the rows of a batch that are marked."""
    import pyarrow as pa

    try:
        return batch.filter(pa.array(marks, pa.bool_()))
    except pa.ArrowNotImplementedError:
        # pyarrow does not filter views.
        runs = groupby(range(len(marks)), marks.__getitem__)
        rows = [list(run) for is_marked, run in runs if is_marked]
        slices = [batch.slice(run[0], len(run)) for run in rows]
        return pa.concat_batches([batch.slice(0, 0), *slices])
