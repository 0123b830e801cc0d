import pytest

pl = pytest.importorskip("polars")

import urlmill.polars  # noqa: E402
from urlmill import BatchError, Normalizer  # noqa: E402

KEY = b"k" * 16


def test_expressions_and_series_give_the_same(some_urls):
    n = Normalizer("crawl")
    frame = pl.DataFrame({"url": [*some_urls[:1000], None, "x"]})
    url = pl.col("url").url
    given = frame.select(
        normal=url.normalize(preset="crawl"),
        key=url.fingerprint(preset="crawl", key=KEY, bits=64),
        surt=url.surt(preset="crawl"),
    )
    series = frame["url"]
    assert given["normal"].to_list() == n.normalize_batch(series).values.to_list()
    assert given["normal"].equals(series.url.normalize("crawl"))
    assert given["key"].equals(series.url.fingerprint("crawl", key=KEY, bits=64))
    assert given["surt"].equals(series.url.surt("crawl"))
    assert given["normal"].to_list()[-2:] == [None, None]


def test_a_lazy_scan_of_parquet_is_deduped(some_urls, tmp_path):
    path = tmp_path / "urls.parquet"
    pl.DataFrame({"url": some_urls}).write_parquet(path)
    lazy = pl.scan_parquet(path).select(pl.col("url").url.normalize(preset="crawl"))
    values = Normalizer("crawl").normalize_batch(some_urls).values
    distinct = len({value for value in values if value is not None})
    assert lazy.drop_nulls().unique().collect().height == distinct


def test_the_module_exports_its_namespaces():
    assert urlmill.polars.UrlExpr is not None


@pytest.mark.parametrize("kind", [pl.String, pl.Binary, pl.Categorical, pl.Enum(["HTTP://A", "x"])])
def test_every_kind_of_text_becomes_string(kind):
    frame = pl.DataFrame({"u": ["HTTP://A", "x", None]}).cast(kind)
    by_expression = frame.select(pl.col("u").url.normalize(), s=pl.col("u").url.surt())
    assert by_expression.schema == {"u": pl.String, "s": pl.String}
    assert by_expression["u"].to_list() == ["http://a/", None, None]
    assert frame["u"].url.normalize().equals(by_expression["u"])
    assert frame["u"].url.surt().to_list() == by_expression["s"].to_list()


def test_an_error_within_an_expression_has_its_class_and_its_code():
    frame = pl.LazyFrame({"n": [1, 2]})
    with pytest.raises(BatchError, match="a column of int64 is not text") as caught:
        frame.select(pl.col("n").url.normalize()).collect()
    assert caught.value.code == "BAD_COLUMN"
