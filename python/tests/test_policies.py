"""Rows that are not URLs: `errors`, and columns of statuses."""

from typing import Any

import pytest

from urlmill import Normalizer, OptionError, UrlError

pa, pd, pl = (pytest.importorskip(name) for name in ("pyarrow", "pandas", "polars"))

import urlmill.pandas  # noqa: E402
import urlmill.polars  # noqa: E402

ROWS = ["HTTP://A", None, "x y", "http://b/", "x y", "http://1.2.3.256/"]
KEPT = ["http://a/", None, "x y", "http://b/", "x y", "http://1.2.3.256/"]
ERRORS = [None, None, "NO_SCHEME", None, "NO_SCHEME", "BAD_IPV4"]
BATCHES: list[Any] = [
    ROWS,
    tuple(ROWS),
    pd.Series(ROWS, dtype=object),
    pd.Series(ROWS),
    pd.Series(ROWS, dtype="category"),
    pl.Series(ROWS),
    pl.Series(ROWS, dtype=pl.Categorical),
    pa.array(ROWS),
    pa.array(ROWS, pa.large_string()),
    pa.array(ROWS, pa.string_view()),
    pa.array(ROWS).dictionary_encode(),
    pa.chunked_array([ROWS[:2], ROWS[2:], []]),
]
n = Normalizer()


def rows_of(values: Any) -> list[Any]:
    rows = values.to_pylist() if hasattr(values, "to_pylist") else list(values)
    return [row if isinstance(row, str) else None for row in rows]


@pytest.mark.parametrize("batch", BATCHES, ids=lambda batch: str(type(batch)))
def test_a_row_that_is_not_a_url_is_kept(batch: Any) -> None:
    assert rows_of(n.normalize_batch(batch, errors="keep").values) == KEPT
    assert rows_of(n.surt_batch(batch, errors="keep").values)[:3] == ["a)/", None, "x y"]
    assert list(n.normalize_batch(batch, errors="keep").status) == list(
        n.normalize_batch(batch).status
    )


@pytest.mark.parametrize("batch", BATCHES, ids=lambda batch: str(type(batch)))
def test_the_first_row_that_is_not_a_url_is_raised(batch: Any) -> None:
    with pytest.raises(UrlError) as caught:
        n.normalize_batch(batch, errors="raise")
    assert (caught.value.code, caught.value.url) == ("NO_SCHEME", "x y")
    good = batch[:2]
    assert rows_of(n.normalize_batch(good, errors="raise").values) == KEPT[:2]


def test_a_missing_value_is_kept_missing_and_not_raised() -> None:
    np = pytest.importorskip("numpy")
    nan = float("nan")
    batches: list[Any] = [
        ["HTTP://A", None, nan, pd.NA],
        np.array(["HTTP://A", nan], dtype=object),
        np.array(["HTTP://A", nan], dtype=np.dtypes.StringDType(na_object=nan)),
        np.array([nan]),
        pd.Series(["HTTP://A", None, nan, pd.NA], dtype=object),
        pd.Series(["HTTP://A", None], dtype=pd.StringDtype("python")),
        pd.Series(["HTTP://A", None], dtype=pd.StringDtype("python", na_value=nan)),
        pa.DictionaryArray.from_arrays(pa.array([0, 1, None]), pa.array(["HTTP://A", None])),
    ]
    for batch in batches:
        rows = rows_of(n.normalize_batch(batch).values)
        assert rows[1:] == [None] * (len(batch) - 1)
        for errors in ("keep", "raise"):
            assert rows_of(n.normalize_batch(batch, errors=errors).values) == rows


def test_bytes_are_kept_as_bytes() -> None:
    column = pa.array([b"\xff", b"HTTP://A", None])
    assert n.normalize_batch(column, errors="keep").values.to_pylist() == [
        b"\xff",
        b"http://a/",
        None,
    ]
    assert n.normalize_batch([b"\xff", b"HTTP://A"], errors="keep").values == [b"\xff", "http://a/"]


def test_another_word_is_refused() -> None:
    wrong: Any = "ignore"
    with pytest.raises(OptionError, match="errors: must be one of null, keep, raise"):
        n.normalize_batch([], errors=wrong)
    with pytest.raises(OptionError):
        pl.col("url").url.normalize(errors=wrong)


def test_categories_stay_categories() -> None:
    series = pd.Series(
        ["HTTP://A", "http://a/", None, "x", "http://a"] * 3, dtype="category", name="u"
    )
    values, status = n.normalize_batch(series)
    assert values.dtype == "category"
    assert (values.name, list(values.cat.categories)) == ("u", ["http://a/"])
    assert rows_of(values) == ["http://a/", "http://a/", None, None, "http://a/"] * 3
    assert list(status) == [1, 0, 14, 3, 1] * 3
    assert list(urlmill.SeenSet().add_batch(series))[:5] == [1, 0, 14, 3, 0]


def test_columns_of_statuses_and_errors() -> None:
    series = pd.Series(ROWS, name="url")
    assert list(series.url.status()) == [1, 14, 3, 0, 3, 7]
    assert [row if isinstance(row, str) else None for row in series.url.error()] == ERRORS
    frame = pl.DataFrame({"url": ROWS})
    url: Any = pl.col("url")
    given = frame.select(
        status=url.url.status(), error=url.url.error(), kept=url.url.normalize(errors="keep")
    )
    assert given.schema == {"status": pl.UInt8, "error": pl.String, "kept": pl.String}
    assert given["status"].to_list() == [1, None, 3, 0, 3, 7]
    assert given["error"].to_list() == ERRORS
    assert given["kept"].to_list() == KEPT
    assert frame["url"].url.error().to_list() == ERRORS


def test_two_presets_on_one_connection_of_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    from urlmill.duckdb import register

    with duckdb.connect() as connection:
        register(connection, "safe", prefix="safe_", errors="keep")
        register(connection, "crawl")
        rows = connection.sql(
            "SELECT safe_normalize(u), url_normalize(u), url_status(u), url_error(u) FROM "
            "(VALUES ('HTTP://A/#b'), ('x'), (NULL), ('http://a/')) t(u)"
        ).fetchall()
    assert rows == [
        ("http://a/#b", "http://a/", 1, None),
        ("x", None, 3, "NO_SCHEME"),
        (None, None, None, None),
        ("http://a/", "http://a/", 0, None),
    ]


def test_an_error_ends_a_query_of_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    from urlmill.duckdb import register

    with duckdb.connect() as connection:
        register(connection, errors="raise")
        with pytest.raises(duckdb.Error, match="NO_SCHEME"):
            connection.sql("SELECT url_normalize('x')").fetchall()


@pytest.mark.parametrize(
    "base", [["http://a/"], pd.Series(["http://a/"]), pa.array(["http://a/"]), 1]
)
def test_a_base_of_many_urls_is_a_bad_base(base: Any) -> None:
    for call in (n.normalize_batch, n.surt_batch, n.fingerprint_batch, urlmill.SeenSet().add_batch):
        with pytest.raises(UrlError, match="BAD_BASE: the base is not an absolute URL"):
            call(["x"], base=base)
    assert n.try_normalize("x", base).status.name == "BAD_BASE"
