"""Batches of every kind come back as the same kind."""

import sys
from types import ModuleType
from typing import Any

import pytest

from urlmill import BatchError, Normalizer, Status

ROWS = ["HTTP://A", None, "http://b/", "nothing", "http://a/"]
VALUES = ["http://a/", None, "http://b/", None, "http://a/"]
CODES = [Status.CHANGED, Status.NOT_A_STRING, Status.UNCHANGED, Status.NO_SCHEME, Status.UNCHANGED]

n = Normalizer("crawl")


def nulls_as_none(values: Any) -> list[Any]:
    return [value if isinstance(value, str) else None for value in values]


def test_a_list_gives_a_list_and_a_tuple_a_tuple() -> None:
    values, status = n.normalize_batch(ROWS)
    assert (values, list(status)) == (VALUES, CODES)
    assert n.normalize_batch(tuple(ROWS)).values == tuple(VALUES)
    assert n.normalize_batch(row for row in ROWS).values == VALUES


def test_an_unchanged_text_is_the_very_same_object() -> None:
    rows = ["http://unchanged/" + "x" * 40, "HTTP://changed"]
    assert n.normalize_batch(rows).values[0] is rows[0]
    assert n.normalize(rows[0]) is rows[0]


def test_rows_that_are_not_text_are_null() -> None:
    values, status = n.normalize_batch([1, b"HTTP://A", object(), 2.5, "http://b/", ["http://c/"]])
    assert values == [None, "http://a/", None, None, "http://b/", None]
    assert list(status) == [14, 1, 14, 14, 0, 14]


def test_a_class_below_str_is_read_as_the_text_it_holds() -> None:
    class Link(str):
        __slots__ = ("page",)

        def __str__(self) -> str:
            return "http://other/"

    (value,) = n.normalize_batch([Link("http://a/")]).values
    assert (value, type(value)) == ("http://a/", str)


@pytest.mark.parametrize(
    "dtype", ["object", "str", "category", "string[python]", "string[pyarrow]"]
)
def test_a_series_of_pandas_keeps_its_type_index_and_name(dtype: str) -> None:
    pd = pytest.importorskip("pandas")
    series = pd.Series(ROWS, index=[9, 8, 7, 6, 5], name="url", dtype=dtype)
    values, status = n.normalize_batch(series)
    assert nulls_as_none(values) == VALUES
    assert (values.dtype.name, values.name) == (series.dtype.name, "url")
    assert list(values.index) == list(status.index) == [9, 8, 7, 6, 5]
    assert (list(status), status.dtype.name) == (CODES, "uint8")


def test_a_series_of_an_arrow_type_of_pandas_keeps_it() -> None:
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    series = pd.Series(ROWS, dtype=pd.ArrowDtype(pa.large_string()))
    values, _ = n.normalize_batch(series)
    assert (nulls_as_none(values), values.dtype) == (VALUES, series.dtype)


@pytest.mark.parametrize("kind", ["String", "Categorical"])
def test_a_series_of_polars_keeps_its_type_and_name(kind: str) -> None:
    pl = pytest.importorskip("polars")
    series = pl.Series("url", ROWS).cast(getattr(pl, kind))
    values, status = n.normalize_batch(series)
    assert (values.to_list(), values.dtype, values.name) == (VALUES, series.dtype, "url")
    assert (status.to_list(), status.dtype) == (CODES, pl.UInt8)


def test_an_array_of_numpy_gives_an_array() -> None:
    np = pytest.importorskip("numpy")
    values, status = n.normalize_batch(np.array(ROWS, object))
    assert (list(values), values.dtype) == (VALUES, object)
    assert (list(status), status.dtype) == (CODES, np.uint8)
    assert list(n.normalize_batch(np.array(["HTTP://A", "x"])).values) == ["http://a/", None]
    assert list(n.normalize_batch(np.array([b"HTTP://A"])).values) == ["http://a/"]


def test_an_array_of_numpy_with_two_dimensions_or_numbers_is_refused() -> None:
    np = pytest.importorskip("numpy")
    for array in (np.array([["http://a/"]]), np.arange(3)):
        with pytest.raises(BatchError, match="is not a batch"):
            n.normalize_batch(array)


@pytest.mark.parametrize(
    "batch", ["http://a/", b"http://a/", {"http://a/": 1}, None, 7, bytearray(3)]
)
def test_what_is_not_a_batch_is_refused(batch: Any) -> None:
    for method in (n.normalize_batch, n.fingerprint_batch, n.surt_batch):
        with pytest.raises(BatchError, match=r"^BAD_INPUT: the batch is "):
            method(batch)


def test_a_series_of_numbers_and_a_frame_are_refused() -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for batch in (pd.Series([1, 2]), pd.Series([1.5]), pl.Series([1, 2])):
        with pytest.raises(BatchError, match="is not text: cast it to string"):
            n.normalize_batch(batch)
    for frame in (pd.DataFrame({"url": ROWS}), pl.DataFrame({"url": ROWS})):
        with pytest.raises(BatchError, match="give its column of URLs alone"):
            n.normalize_batch(frame)


@pytest.mark.parametrize("batch", [[], ()])
def test_an_empty_batch_gives_an_empty_one(batch: Any) -> None:
    assert n.normalize_batch(batch).values == batch
    assert n.normalize_batch(batch).status == b""
    assert n.fingerprint_batch(batch).fingerprints == batch


def test_a_batch_of_many_windows_is_whole(urls: list[str]) -> None:
    rows = [f"{url}#{row}" for row, url in enumerate(urls)]
    values = Normalizer().normalize_batch(rows).values
    assert len(values) == len(rows)
    found = [(row, url) for row, url in enumerate(values) if url is not None]
    assert len(found) > 49_000
    assert [row for row, url in found if not url.endswith(str(row))] == []


def test_references_are_resolved_against_the_base() -> None:
    values, _ = n.normalize_batch(["../c", "#top", None, "//d"], base="http://a/b/page")
    assert values == ["http://a/c", "http://a/b/page", None, "http://d/"]


def test_surt_comes_as_the_same_kind() -> None:
    pa = pytest.importorskip("pyarrow")
    expected = ["a)/", None, "b)/", None, "a)/"]
    assert n.surt_batch(ROWS).values == expected
    column = pa.array(ROWS).dictionary_encode()
    assert n.surt_batch(column).values.to_pylist() == expected
    assert n.surt_batch(column).values.type == column.type


def test_a_batch_is_read_while_another_thread_imports_a_package(monkeypatch):
    np = pytest.importorskip("numpy")
    monkeypatch.setitem(sys.modules, "pyarrow", ModuleType("pyarrow"))
    values, _ = n.normalize_batch(np.array(["http://a"], object))
    assert list(values) == ["http://a/"]
