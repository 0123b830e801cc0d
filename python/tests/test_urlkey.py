"""Keys of indexes of web archives: those of the Internet Archive's package `surt`."""

import json
import random
import socket
from pathlib import Path
from typing import Any

import pytest

from urlmill import Normalizer, Status, UrlError

FIXTURES = Path(__file__).parents[2] / "test" / "fixtures"
CASES: list[tuple[str, Any]] = [
    tuple(case) for case in json.loads((FIXTURES / "urlkeys.json").read_text())
]
# What surt raises where a key cannot be made, and what it makes of an empty text.
CODES = {"ValueError": "BAD_PORT", "AttributeError": "EMPTY"}


def key_of(url: bytes, **options: Any) -> Any:
    try:
        return Normalizer().urlkey(url, **options).encode("latin-1")
    except UrlError as error:
        return error.code


def test_keys_are_those_of_the_vectors() -> None:
    keys, status = Normalizer().urlkey_batch([url.encode("latin-1") for url, _ in CASES])
    for (url, expected), key, code in zip(CASES, keys, status, strict=True):
        made = key if code <= Status.CHANGED else {"error": Status(code).name}
        assert made == expected, url


PIECES = [
    *[
        b"%",
        b"%25",
        b"%2f",
        b"..",
        b"/",
        b"//",
        b"?",
        b"#",
        b"&",
        b"=",
        b"@",
        b":80",
        b"www.",
        b"www1.",
    ],
    *[b"http://", b"A", b" ", b"\t", b"\xff", b"\xc3\xa9", b"sid="],
]


@pytest.mark.parametrize("seed", range(3))
def test_keys_are_those_of_surt(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    surt = pytest.importorskip("surt").surt
    # surt asks the network about hosts that begin with digits and are not an address.
    monkeypatch.setattr("socket.gethostbyname_ex", address_of)
    random.seed(seed)
    urls = [url.encode("latin-1") for url, _ in CASES]
    for _ in range(1500):
        url = bytearray(random.choice(urls))
        for _ in range(random.randint(1, 3)):
            at = random.randint(0, len(url))
            url[at:at] = random.choice(PIECES)
        if b"%0a" in url.lower() or url.startswith(b"filedesc"):
            continue  # inet_aton takes a line end after an address; surt writes names of records as they are
        try:
            expected: Any = surt(bytes(url))
        except (ValueError, AttributeError) as error:
            expected = CODES[type(error).__name__]
        assert key_of(bytes(url)) == ("EMPTY" if expected == b"-" else expected), bytes(url)


def address_of(host: bytes) -> tuple[bytes, list[str], list[str]]:
    try:
        return host, [], [socket.inet_ntoa(socket.inet_aton(host.decode()))]
    except OSError as error:
        raise socket.gaierror from error


def test_options_come_first_and_www_can_stay() -> None:
    assert Normalizer("crawl").urlkey("http://www.a.b/?utm_source=x&c") == "b,a)/?c"
    assert Normalizer().urlkey("../C", "http://a.b/d/e/") == "b,a)/d/c"
    assert Normalizer().urlkey("http://www3288.com/") == "com)/"
    assert Normalizer().urlkey("http://www3288.com/", keep_www=True) == "com,www3288)/"


def test_errors_have_codes() -> None:
    assert key_of(b"http://a:b/") == "BAD_PORT"
    with pytest.raises(UrlError, match="NOT_A_STRING"):
        Normalizer().urlkey(None)  # type: ignore[arg-type]
    kept = Normalizer().urlkey_batch(["http://a:b/"], errors="keep")
    assert kept.values == ["http://a:b/"]


def test_columns_have_keys() -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    duckdb = pytest.importorskip("duckdb")
    import urlmill.duckdb
    import urlmill.pandas
    import urlmill.polars

    urls = ["http://www.a.b/C", None, "http://a:b/"]
    expected = ["b,a)/c", None, None]
    series = pd.Series(urls)
    assert [None if pd.isna(key) else key for key in series.url.urlkey()] == expected
    assert pl.Series("u", urls).url.urlkey().to_list() == expected
    frame = pl.DataFrame({"u": urls}).select(pl.col("u").url.urlkey(keep_www=True))
    assert frame["u"].to_list() == ["b,a,www)/c", None, None]
    connection = duckdb.connect()
    urlmill.duckdb.register(connection, preset="safe")
    assert connection.sql("SELECT url_urlkey('http://www.a.b/C')").fetchall() == [("b,a)/c",)]


def test_templates_are_those_of_the_specification() -> None:
    normalizer = Normalizer("crawl")
    urls = ["HTTP://A/7?b=1&a", "http://a/%D0%90/0123456789abcdef", "x"]
    assert normalizer.template_batch(urls).values == [
        "http://a/<N>?a&b",
        "http://a/%D0%90/<H>",
        None,
    ]
    assert normalizer.template("../7", "http://a/b/1/2") == "http://a/b/<N>"
    with pytest.raises(UrlError, match="NO_SCHEME"):
        normalizer.template("x")
