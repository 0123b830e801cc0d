"""Sets of keys alone, and what `dedupe` of Spark asks them."""

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from urlmill import SeenError
from urlmill._key_set import KeySet

pa = pytest.importorskip("pyarrow")

from urlmill import _spark_keys  # noqa: E402

LONG = os.environ.get("URLMILL_LONG") == "1"


def keys_of(count: int) -> list[bytes]:
    """Return keys of which about a third came before, with some that begin with zeros."""
    random = Random(count)
    some = [random.randbytes(16) for _ in range(count)]
    some += [bytes(8) + random.randbytes(8) for _ in range(9)]
    return random.choices(some, k=count)


def batches(keys: list[Any], rows: int, kind: Any = None) -> Iterator[tuple[Any, ...]]:
    for first in range(0, len(keys), rows):
        # A slice has a place in the memory of another array.
        yield (pa.array([b"before", *keys[first : first + rows]], kind or pa.binary())[1:],)


def joined(arrays: Iterator[Any]) -> list[Any]:
    return [row for array in arrays for row in array.to_pylist()]


def first_of_each(keys: list[Any]) -> list[bool]:
    seen: set[Any] = set()
    return [key is None or not (key in seen or seen.add(key)) for key in keys]  # type: ignore[func-returns-value]


@pytest.mark.parametrize("count", [0, 1, 50_000, *([3_000_000] if LONG else [])])
def test_a_key_is_new_once(count: int) -> None:
    keys, seen = keys_of(count), KeySet()
    marks = b"".join(
        seen.add(memoryview(b"".join(keys[first : first + 30_000])))
        for first in range(0, max(1, count), 30_000)
    )
    assert list(map(bool, marks)) == first_of_each(keys)
    assert len(seen) == len(set(keys))
    some = [*keys[:20_000], b"another key 0000"]
    assert seen.has(memoryview(b"".join(some))) == b"\1" * (len(some) - 1) + b"\0"
    assert len(seen) == len(set(keys))


def test_more_keys_than_memory_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = KeySet()
    monkeypatch.setattr(seen, "_insert", lambda _: 0xFFFFFFFF)
    with pytest.raises(SeenError, match=r"SET_FULL.*spark\.sql\.shuffle\.partitions"):
        seen.add(memoryview(bytes(16)))


@pytest.mark.parametrize("kind", ["binary", "large_binary"])
@pytest.mark.parametrize("rows", [7, 4_000])
def test_the_first_row_of_each_key_is_told_and_rows_without_one_are(rows: int, kind: str) -> None:
    keys: list[Any] = keys_of(20_000)
    keys[::9] = [None] * len(keys[::9])
    keys[:rows] = [None] * rows
    found = joined(_spark_keys.is_first_row(batches(keys, rows, getattr(pa, kind)())))
    assert found == first_of_each(keys)


def test_repeats_within_a_task_lose_their_key() -> None:
    keys: list[Any] = keys_of(20_000)
    keys[::9] = [None] * len(keys[::9])
    found = joined(_spark_keys.first_keys(lambda column: column)(batches(keys, 1_000)))
    pairs = zip(keys, first_of_each(keys), strict=True)
    assert found == [key if is_first else b"" for key, is_first in pairs]


def test_of_few_repeats_only_those_that_come_soon_are_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_spark_keys, "_TRIED", 1_000)
    for repeats in (200, 300):
        once = [b"%016d" % at for at in range(1_000 - repeats)]
        keys = [*once, *once[:repeats], None, *once]
        found = joined(_spark_keys.first_keys(lambda column: column)(batches(keys, 500)))
        assert found[: 1_000 - repeats] == once
        assert found[1_000 - repeats : 1_000] == [b""] * repeats
        assert found[1_000] is None
        later = found[1_001:]
        assert later[:repeats] == [b""] * repeats
        assert later[repeats:] == (once[200:] if repeats == 200 else [b""] * 400)


def test_keys_that_are_remembered_take_no_more_memory_than_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_spark_keys, "_MOST_KEYS", 1_000)
    keys = [b"%016d" % (at % 600) for at in range(1_200)] + [b"x%015d" % at for at in range(600)]
    found = joined(_spark_keys.first_keys(lambda column: column)(batches([*keys, *keys], 600)))
    first = first_of_each(keys)
    assert [key != b"" for key in found] == [*first, *first]
