import pytest

pd = pytest.importorskip("pandas")

import urlmill.pandas  # noqa: E402, F401
from urlmill import Normalizer  # noqa: E402


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
