"""Columns of Arrow: every type of text, and every shape of buffer."""

from pathlib import Path
from typing import Any

import pytest

from urlmill import BatchError, Normalizer, SeenSet, Status, UrlError, _chunks, _columns, dedupe
from urlmill._row_bases import normalize_with_bases

pa = pytest.importorskip("pyarrow")
pc = pytest.importorskip("pyarrow.compute")


@pytest.fixture(autouse=True, params=[0, 96], ids=["by buffers", "by lists"])
def way(request, monkeypatch):
    """Normalize columns of few rows in each of the two ways."""
    monkeypatch.setattr(_chunks, "_FEW", request.param)


ROWS = ["HTTP://A", None, "http://b/", "nothing", "http://a/"]
VALUES = ["http://a/", None, "http://b/", None, "http://a/"]
CODES = [1, 14, 0, 3, 0]
TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.uint32(), pa.large_string()),
]

n = Normalizer("crawl")


def column_of(rows: list[str | None], kind: Any) -> Any:
    if not pa.types.is_dictionary(kind):
        return pa.array(rows, kind)
    encoded = pa.array(rows, kind.value_type).dictionary_encode()
    return pa.DictionaryArray.from_arrays(encoded.indices.cast(kind.index_type), encoded.dictionary)


def texts(array: Any) -> list[Any]:
    return [row.decode() if isinstance(row, bytes) else row for row in array.to_pylist()]


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_each_type_of_text_comes_back_as_itself(kind: Any) -> None:
    column = column_of(ROWS, kind)
    values, status = n.normalize_batch(column)
    values.validate(full=True)
    assert (texts(values), values.type, values.null_count) == (VALUES, kind, 2)
    assert (status.to_pylist(), status.type) == (CODES, pa.uint8())


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_a_slice_gives_its_rows_alone(kind: Any) -> None:
    column = column_of(["http://x/", *ROWS, *ROWS, "http://y/"], kind).slice(1, 10).slice(3, 4)
    values, status = n.normalize_batch(column)
    values.validate(full=True)
    assert (texts(values), status.to_pylist()) == ((VALUES * 2)[3:7], (CODES * 2)[3:7])


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_chunks_stay_chunks(kind: Any) -> None:
    pieces: list[list[str | None]] = [ROWS, [], [None], ROWS[:2]]
    column = pa.chunked_array([column_of(piece, kind) for piece in pieces], kind)
    values, status = n.normalize_batch(column)
    assert [len(chunk) for chunk in values.chunks] == [len(piece) for piece in pieces]
    assert [len(chunk) for chunk in status.chunks] == [len(piece) for piece in pieces]
    assert texts(values) == [*VALUES, None, *VALUES[:2]]
    keys = n.fingerprint_batch(column).fingerprints
    assert [len(chunk) for chunk in keys.chunks] == [len(piece) for piece in pieces]


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_no_rows_give_no_rows(kind: Any) -> None:
    for column in (
        column_of([], kind),
        column_of(ROWS, kind).slice(2, 0),
        pa.chunked_array([], kind),
    ):
        values, status = n.normalize_batch(column)
        assert (len(values), len(status), values.type) == (0, 0, kind)
        assert len(n.fingerprint_batch(column).fingerprints) == 0


def test_a_column_of_nulls_stays_null() -> None:
    for column in (pa.nulls(3), pa.nulls(3, pa.string())):
        values, status = n.normalize_batch(column)
        assert (values.to_pylist(), values.type) == ([None] * 3, column.type)
        assert status.to_pylist() == [14] * 3


def test_the_bytes_of_a_null_do_not_come_out() -> None:
    data = pa.py_buffer(b"http://secret/http://a/")
    offsets = pa.array([0, 14, 23], pa.int32()).buffers()[1]
    column = pa.Array.from_buffers(pa.string(), 2, [pa.py_buffer(b"\x02"), offsets, data])
    values, status = n.normalize_batch(column)
    assert (values.to_pylist(), status.to_pylist()) == ([None, "http://a/"], [14, 0])
    assert b"secret" not in values.buffers()[2].to_pybytes()
    assert n.fingerprint_batch(column).fingerprints.to_pylist()[0] is None


def test_a_dictionary_is_normalized_once_and_equal_values_become_one() -> None:
    column = pa.array(["HTTP://A", "http://a/", "http://a", "x"] * 100).dictionary_encode()
    values, status = n.normalize_batch(column)
    assert values.dictionary.to_pylist() == ["http://a/"]
    assert values.to_pylist() == ["http://a/", "http://a/", "http://a/", None] * 100
    assert status.to_pylist() == [1, 0, 1, 3] * 100


def test_bytes_that_are_not_utf8_give_what_bytes_alone_give() -> None:
    rows = [
        b"http://a/\xff\xfe",
        b"http://\xff/",
        b"http://a/\x00b",
        "http://b\u00fccher.de".encode(),
    ]
    values, status = Normalizer().normalize_batch(pa.array(rows, pa.binary()))
    alone = [Normalizer().try_normalize(row) for row in rows]
    assert texts(values) == [url for url, _ in alone]
    assert status.to_pylist() == [int(code) for _, code in alone]
    assert texts(values)[0] == "http://a/%FF%FE"


def test_text_that_is_not_utf8_is_a_row_that_python_cannot_read(tmp_path: Path) -> None:
    column = pa.array([b"http://a/\xff", None, b"x\xff"]).view(pa.string())
    for each in (column, column.cast(pa.large_string()), column.dictionary_encode()):
        with pytest.raises(UrlError) as caught:
            n.normalize_batch(each, errors="raise")
        assert (caught.value.code, caught.value.url) == ("NO_SCHEME", b"x\xff")
    urls, status = normalize_with_bases(n, pa.array(["../c", "d", "e"]), column)
    assert urls.to_pylist() == ["http://a/c", None, None]
    assert status.to_pylist() == [Status.CHANGED, Status.NO_SCHEME, Status.BAD_BASE]
    with SeenSet.open(tmp_path / "set", store="disk", immediate=False) as seen:
        seen.enqueue_batch(column, payload="url")
        assert [each.payloads for each in seen.drain()] == [[b"http://a/\xff", b"", b"x\xff"]]


def test_columns_of_many_windows_are_those_of_lists(urls: list[str]) -> None:
    expected = n.normalize_batch(urls)
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        values, status = n.normalize_batch(pa.array(urls, kind))
        assert values.to_pylist() == expected.values
        assert bytes(status.to_pylist()) == expected.status


def test_rows_longer_than_a_window_fit_among_short_ones() -> None:
    long = "http://a/" + "b" * 1_000_000
    rows = ["HTTP://A", long, "http://b/", long + "/../c", None]
    values, _ = Normalizer().normalize_batch(pa.array(rows))
    assert values.to_pylist() == ["http://a/", long, "http://b/", "http://a/c", None]


def test_a_row_beyond_max_length_is_an_error_of_its_own() -> None:
    small = Normalizer("safe", max_length=100)
    rows = ["http://a/", "http://a/" + "b" * 100, "http://b/", "http://c/" + "d" * 3_000_000]
    values, status = small.normalize_batch(pa.array(rows))
    assert values.to_pylist() == ["http://a/", None, "http://b/", None]
    assert status.to_pylist() == [0, Status.TOO_LONG, 0, Status.TOO_LONG]


@pytest.mark.parametrize("column", [pa.array([1, 2]), pa.array([["http://a/"]])], ids=str)
def test_a_column_that_is_not_text_is_refused(column: Any) -> None:
    with pytest.raises(BatchError, match="is not text: cast it to string"):
        n.normalize_batch(column)
    with pytest.raises(BatchError, match="is not text: cast it to string"):
        n.fingerprint_batch(column)


@pytest.mark.parametrize("kind", [pa.string(), pa.binary(), pa.dictionary(pa.int32(), pa.string())])
def test_a_column_whose_normal_forms_pass_the_offsets_comes_back_large(monkeypatch, kind):
    monkeypatch.setattr(_columns, "_LONGEST_SMALL", 40)
    urls = ["http://a", "http://bb", "x", "http://ccc/\u00fc\u00fc\u00fc\u00fc", "http://d"]
    values = column_of(urls, kind)
    given = n.normalize_batch(values).values
    text = given.dictionary_decode() if pa.types.is_dictionary(kind) else given
    assert text.type in (pa.large_string(), pa.large_binary())
    assert text.cast(pa.large_string()).to_pylist() == n.normalize_batch(urls).values
    # The first chunk fits, the second does not.
    column = n.normalize_batch(pa.chunked_array([column_of(["http://a"], kind), values])).values
    assert column.type == given.type
    assert column.chunk(0).to_pylist() == [b"http://a/" if kind == pa.binary() else "http://a/"]
    assert column.chunk(1).equals(given)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary()])
def test_run_end_encoded_columns_come_back_in_runs(kind):
    urls = ["HTTP://A", "HTTP://A", "http://a/", "x", None, None, "http://b"]
    plain = pa.array(urls, kind)
    runs = pc.run_end_encode(plain, run_end_type=pa.int64())
    n = Normalizer("crawl")
    for given, expected in [
        (runs, plain),
        (runs.slice(1, 4), plain.slice(1, 4)),
        (pa.chunked_array([runs, runs.slice(2)]), pa.chunked_array([plain, plain.slice(2)])),
        (runs.slice(0, 0), plain.slice(0, 0)),
    ]:
        for errors in ("null", "keep"):
            values, status = n.normalize_batch(given, errors=errors)
            other = n.normalize_batch(expected, errors=errors)
            assert values.type == given.type
            assert values.to_pylist() == other.values.to_pylist()
            assert status.equals(other.status)
        keys = n.fingerprint_batch(given, key=bytes(16)).fingerprints
        assert keys.equals(n.fingerprint_batch(expected, key=bytes(16)).fingerprints)
    assert len(n.normalize_batch(runs).values.values) == 3
    with pytest.raises(UrlError, match="NO_SCHEME"):
        n.normalize_batch(runs, errors="raise")
    with pytest.raises(BatchError, match="run_end_decode makes plain") as caught:
        dedupe(runs)
    assert caught.value.code == "BAD_COLUMN"


def test_runs_that_arrow_does_not_read_are_refused():
    ends = pa.array([2], pa.int32())
    n = Normalizer()
    for values in (pa.array(["a"]).dictionary_encode(), pa.array([1])):
        with pytest.raises(BatchError, match="cast it to string"):
            n.normalize_batch(pa.RunEndEncodedArray.from_arrays(ends, values))


def test_few_rows_take_the_way_of_lists_only_where_it_is_shorter(monkeypatch):
    taken = []
    way = _chunks._normalize_few
    monkeypatch.setattr(_chunks, "_normalize_few", lambda *given: taken.append(1) or way(*given))
    monkeypatch.setattr(_chunks, "_FEW", 96)
    for rows, kind, is_list in [
        (["http://a", None], pa.string(), True),
        (["http://a"] * 96, pa.large_string(), True),
        (["http://a"] * 97, pa.large_string(), False),
        (["http://a"], pa.string(), False),
        (["http://a", None], pa.binary(), False),
    ]:
        taken.clear()
        values = Normalizer().normalize_batch(pa.array(rows, kind)).values
        assert values.type == kind
        assert (taken == [1]) == is_list


def test_few_rows_of_bytes_that_are_not_utf_8_or_are_many_go_by_buffers():
    n = Normalizer(max_length=1 << 26)
    bad = pa.array([b"HTTP://A/\xff", None], pa.binary()).view(pa.string())
    long = pa.array(["HTTP://A/" + "b" * 300_000, None])
    for given, expected in ((bad, "http://a/%FF"), (long, "http://a/" + "b" * 300_000)):
        values, status = n.normalize_batch(given)
        assert (values.to_pylist(), status.to_pylist()) == ([expected, None], [1, 14])
