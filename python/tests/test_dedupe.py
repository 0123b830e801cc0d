"""`urlmill.dedupe` and `urlmill.normalize`: which rows stay, of lists and of the frames of other libraries."""

import random
from pathlib import Path
from typing import Any

import pytest
from test_command import python
from test_made_up_calls import URLS

from urlmill import BatchError, Normalizer, OptionError, UrlError, dedupe, normalize

LINKS = ["HTTP://A/?b&a", "http://a/?a&b#c", "n/a", "n/a", "n/a", None, None, "http://b/"]
DAYS = [1, 2, 3, 3, 4, 5, 5, 6]
KEPT = {"first": [0, 2, 4, 5, 6, 7], "last": [1, 3, 4, 5, 6, 7]}
"""The rows that stay of a frame: "n/a" goes where its day is the same."""
KEPT_OF_COLUMN = {"first": [0, 2, 5, 6, 7], "last": [1, 4, 5, 6, 7]}
KINDS = ("pandas", "pandas category", "pandas arrow", "polars", "polars lazy", "table", "batch")


def frame_of(kind: str, columns: dict[str, list[Any]]) -> Any:
    """Make a frame, or skip the test where its library is missing."""
    library, _, which = kind.partition(" ")
    if library == "pandas":
        pd = pytest.importorskip("pandas")
        types = {"": object, "category": "category", "arrow": "string[pyarrow]"}
        return pd.DataFrame(columns).astype({"url": types[which]})
    if library == "polars":
        pl = pytest.importorskip("polars")
        return pl.LazyFrame(columns) if which else pl.DataFrame(columns)
    pa = pytest.importorskip("pyarrow")
    return pa.table(columns) if kind == "table" else pa.record_batch(columns)


def numbers_of(frame: Any, column: str = "row") -> list[Any]:
    return values_of((frame.collect() if hasattr(frame, "collect") else frame)[column])


def values_of(column: Any) -> list[Any]:
    return column.to_pylist() if hasattr(column, "to_pylist") else list(column)


@pytest.mark.parametrize("keep", ["first", "last"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_keeps_one_row_of_each_url(kind: str, keep: Any) -> None:
    frame = frame_of(kind, {"url": LINKS, "day": DAYS})
    numbered = frame_of(kind, {"url": LINKS, "day": DAYS, "row": list(range(8))})
    kept = dedupe(frame, preset="crawl", keep=keep)
    assert type(kept) is type(frame)
    assert numbers_of(kept, "day") == [DAYS[row] for row in KEPT[keep]]
    # With a number in each row, no two are equal as a whole.
    texts = [0] if keep == "last" else [1]
    assert numbers_of(dedupe(numbered, preset="crawl", keep=keep)) == [
        row for row in range(8) if row not in texts
    ]


@pytest.mark.parametrize("keep", ["first", "last"])
def test_columns_and_lists_compare_what_is_not_a_url_by_its_text(keep: Any) -> None:
    expected = [LINKS[row] for row in KEPT_OF_COLUMN[keep]]
    assert dedupe(LINKS, preset="crawl", keep=keep) == expected
    assert dedupe(tuple(LINKS), preset="crawl", keep=keep) == tuple(expected)
    assert dedupe(iter(LINKS), preset="crawl", keep=keep) == expected
    np, pa = pytest.importorskip("numpy"), pytest.importorskip("pyarrow")
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    rows = KEPT_OF_COLUMN[keep]
    series = dedupe(pd.Series(LINKS, range(10, 18), object), preset="crawl", keep=keep)
    assert (series.index.tolist(), series.tolist()) == ([10 + row for row in rows], expected)
    for column in (
        np.array(LINKS, dtype=object),
        pl.Series(LINKS),
        pa.array(LINKS).dictionary_encode(),
        pa.chunked_array([LINKS[:3], LINKS[3:]]),
    ):
        kept = dedupe(column, preset="crawl", keep=keep)
        assert type(kept) is type(column)
        assert values_of(kept) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_frame_stays_empty(kind: str) -> None:
    assert dedupe([]) == []
    assert numbers_of(dedupe(frame_of(kind, {"url": LINKS})[:0]), "url") == []


@pytest.mark.parametrize("keep", ["first", "last"])
def test_the_rows_that_stay_are_those_that_the_command_writes(keep: Any, tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    rng = random.Random(7)
    frame = pd.DataFrame({"url": rng.choices(URLS, k=400)}).assign(n=lambda rows: rows.index % 3)
    flags = ["dedupe", "--preset", "crawl", "--keep", keep, "--base", "http://a.com/b/c"]
    kept = dedupe(frame, preset="crawl", keep=keep, base="http://a.com/b/c")
    assert 30 < len(kept) < 200
    data = frame.to_csv(index=False).encode()
    done = python(*flags, "--format", "csv", cwd=tmp_path, data=data)
    assert done.stdout.decode() == kept.to_csv(index=False)
    lines = dedupe(frame["url"].tolist(), preset="crawl", keep=keep, base="http://a.com/b/c")
    data = "".join(f"{each}\n" for each in frame["url"]).encode()
    done = python(*flags, "--format", "lines", cwd=tmp_path, data=data)
    assert done.stdout.decode() == "".join(f"{each}\n" for each in lines)


@pytest.mark.parametrize("kind", ["pandas", "polars", "table"])
def test_whole_rows_that_the_library_cannot_compare_stay(kind: str) -> None:
    frame = frame_of(kind, {"url": ["x", "x", "http://a", "HTTP://A"], "tags": [[1]] * 4})
    left = 2 if kind == "polars" else 3
    assert len(dedupe(frame)) == left
    if kind == "polars":
        pl = pytest.importorskip("polars")
        objects = pl.DataFrame({"url": ["x", "x"], "o": pl.Series([1, 1], dtype=pl.Object)})
        assert len(dedupe(objects)) == 2


def test_missing_values_of_equal_rows_are_equal() -> None:
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"url": ["x", "x"], "n": [float("nan")] * 2})
    assert len(dedupe(frame)) == len(dedupe(frame.astype({"n": "Int64"}))) == 1
    words = pa.chunked_array([pa.array([word]).dictionary_encode() for word in "aba"])
    assert dedupe(pa.table({"url": ["x"] * 3, "word": words}))["word"].to_pylist() == ["a", "b"]


def test_what_a_lazy_frame_does_next_is_done_after() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.LazyFrame({"url": ["http://a", "HTTP://A", "http://b"], "day": [1, 2, 2]})
    late = dedupe(frame).filter(pl.col("day") > 1).select("url").collect()
    assert late["url"].to_list() == ["http://b"]


def test_the_column_and_options_are_those_given() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame([["http://www.a.org", 1], ["http://a.org", 2]], columns=["page", 7])
    assert len(dedupe(frame, "page")) == 2
    assert len(dedupe(frame, "page", www="remove")) == 1
    n = Normalizer(plan=Normalizer(www="remove").plan)
    assert dedupe(frame, "page", normalizer=n, keep="last")[7].tolist() == [2]
    with pytest.raises(OptionError, match="normalizer: has all options"):
        dedupe(frame, "page", "crawl", normalizer=n)


@pytest.mark.parametrize(
    ("rows", "options", "says"),
    [
        ([{"url": "http://a"}], {}, r"a row is dict: .* pandas\.DataFrame\(rows\)"),
        (["http://a", 5], {}, "a row is int"),
        ("http://a", {}, "the batch is one URL"),
        ({"http://a": 1}, {}, "the batch is dict"),
        (["http://a"], {"url": "url"}, "url: list has no columns"),
        (["http://a"], {"keep": "any"}, "keep: must be one of first, last"),
    ],
)
def test_what_cannot_be_is_refused(rows: Any, options: Any, says: str) -> None:
    with pytest.raises((BatchError, OptionError), match=says):
        dedupe(rows, **options)


@pytest.mark.parametrize("kind", ["pandas", "polars", "polars lazy", "table"])
def test_a_column_that_is_not_there_is_named_with_those_that_are(kind: str) -> None:
    frame = frame_of(kind, {"url": LINKS, "day": DAYS})
    with pytest.raises(OptionError, match=r"there is no column 'link'; name .*: 'url', 'day'"):
        numbers_of(dedupe(frame, "link"))
    with pytest.raises(BatchError, match=r"BAD_COLUMN: a .* of int64 is not text"):
        numbers_of(dedupe(frame, "day"))


def test_a_column_that_is_there_twice_is_refused() -> None:
    pd = pytest.importorskip("pandas")
    with pytest.raises(OptionError, match="there are two columns 'url'"):
        dedupe(pd.DataFrame([["a", "b"]], columns=["url", "url"]))


def test_one_url_is_normalized_by_its_options(tmp_path: Path) -> None:
    assert normalize("HTTP://A/?b&a#c") == "http://a/?b&a#c"
    assert normalize("../c?b&a", "crawl", base="http://a/b/d") == "http://a/c?a&b"
    assert normalize(b"http://a/?x=1&y", drop_params=["x"]) == "http://a/?y"
    with pytest.raises(UrlError, match="NO_SCHEME"):
        normalize("nothing")
    with pytest.raises(OptionError, match="did you mean www"):
        normalize("http://a", wwww="remove")  # type: ignore[call-arg]


def test_a_file_of_rules_that_changed_is_read_again(tmp_path: Path) -> None:
    rules = tmp_path / "rules.tsv"
    for parameter in ("x", "y"):
        rules.write_text(f"#urlmill-rules 1\na.org\t*\tdrop {parameter}\n")
        other = {"x": "y", "y": "x"}[parameter]
        assert normalize("http://a.org/?x=1&y=1", rules=rules) == f"http://a.org/?{other}=1"
