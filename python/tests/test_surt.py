"""SURT forms: those that the kernel writes for batches, and those of one URL, which Python writes."""

import random
from typing import Any

import pytest

from urlmill import Normalizer
from urlmill._surt import to_surt

pa = pytest.importorskip("pyarrow")

EDGES = [
    "http://a",
    "https://a.b.c/x",
    "http://user@www.example.com:81/x?q",
    "http://u,s(e)r:p@www.example.com",
    "http://a,b(c).d/",
    "http://1.2.3.4:80/",
    "http://1.2.3.4.example/",
    "http://[::1]:81/x",
    "x://1.2.3/",
    "x://1..2.3/",
    "x://1.2.3.4",
    "x://a.b,c?d",
    "x://a.b#c",
    "x://,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,",
    "x://",
    "x:/",
    "x:",
    "x:///y",
    "ftp://a.b/",
    "file:///x",
    "file://a.b/x",
    "httpss://a.b/",
    "http+x://a.b/",
    "mailto:a@b.c",
    "data:,://x",
    "nothing",
    "",
    "http://" + "a." * 40 + "b/" + "c" * 70,
    "x://" + "a,." * 400 + "b",
]


def model(n: Normalizer, urls: list[Any], base: str | None = None) -> list[str | None]:
    values = n.normalize_batch(urls, base).values
    return [None if url is None else to_surt(url) for url in values]


def ways(n: Normalizer, urls: list[str], base: str | None = None) -> list[list[Any]]:
    """Return what each kind of batch gives."""
    return [
        n.surt_batch(urls, base).values,
        n.surt_batch([url.encode() for url in urls], base).values,
        n.surt_batch(pa.array(urls), base).values.to_pylist(),
        n.surt_batch(pa.array(urls).dictionary_encode(), base).values.to_pylist(),
    ]


def check(urls: list[str], base: str | None = None) -> None:
    n = Normalizer()
    expected = model(n, urls, base)
    assert [way == expected for way in ways(n, urls, base)] == [True] * 4


@pytest.mark.parametrize("url", EDGES)
def test_one_url_alone(url: str) -> None:
    check([url])


def test_real_urls(urls: list[str]) -> None:
    check(urls[:20_000])


def test_rows_that_grow_among_rows_that_shrink() -> None:
    rng = random.Random(39)
    check(rng.choices(EDGES, k=20_000))
    check([rng.choice(EDGES[-4:]) for _ in range(5000)])


def test_a_window_of_rows_that_grow_as_much_as_any() -> None:
    row = "x://" + "," * 60_000
    check([row, "http://a.b/", row * 4, row, "y://" + "(" * 300_000, "http://a.b/c"])


def test_rows_of_a_base_that_grows() -> None:
    base = "x://" + "a,." * 30_000 + "/b"
    check(["c", "http://a.b/", *["d"] * 30], base)


def test_a_batch_after_surts_is_normalized() -> None:
    n = Normalizer()
    n.surt_batch(["http://a.b"])
    assert n.normalize_batch(["http://a.b"]).values == ["http://a.b/"]


def test_an_error_leaves_the_kernel_without_surts() -> None:
    n = Normalizer()
    with pytest.raises(TypeError):
        n.surt_batch(pa.array([1]))
    assert n.normalize_batch(["http://a.b"]).values == ["http://a.b/"]
