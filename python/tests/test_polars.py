import pytest

pl = pytest.importorskip("polars")

import urlmill.polars  # noqa: E402
from urlmill import Normalizer  # noqa: E402

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
