import io

import pytest

pd = pytest.importorskip("pandas")

import urlmill.pandas  # noqa: E402, F401
from urlmill import BatchError, Normalizer  # noqa: E402


def test_the_accessor_keeps_the_index_and_null():
    series = pd.Series(["HTTP://A.b/?b&a", None, "x"], index=["p", "q", "r"])
    normal = series.url.normalize(preset="crawl")
    assert list(normal.index) == ["p", "q", "r"]
    assert normal["p"] == "http://a.b/?a&b"
    assert normal.isna().tolist() == [False, True, True]
    assert series.url.surt("crawl")["p"] == "b,a)/?a&b"


def test_fingerprints_are_those_of_a_batch():
    key = b"k" * 16
    keys = pd.Series(["http://a", "HTTP://A/"]).url.fingerprint(key=key, bits=64)
    assert (
        keys[0] == keys[1] == Normalizer().fingerprint_batch(["http://a/"], key, 64).fingerprints[0]
    )


def test_a_chunk_without_values_does_not_end_a_read():
    text = io.StringIO("id,url\n1,\n2,\n3,HTTP://A\n4,x\n")
    chunks = list(pd.read_csv(text, chunksize=2))
    assert chunks[0]["url"].dtype == "float64"
    keys = pd.concat([chunk["url"].url.normalize() for chunk in chunks])
    assert [key if isinstance(key, str) else None for key in keys] == [
        None,
        None,
        "http://a/",
        None,
    ]
    assert chunks[0]["url"].url.fingerprint().tolist() == [None, None]
    assert chunks[0]["url"].url.surt().tolist() == [None, None]
    assert pd.Series([], dtype=float).url.normalize().tolist() == []
    assert Normalizer().normalize_batch(chunks[0]["url"].to_numpy()).values.tolist() == [None, None]


def test_a_column_of_numbers_is_an_error():
    with pytest.raises(BatchError, match="a Series of float64 is not text"):
        pd.Series([1.5, None]).url.normalize()
