import pytest

from urlmill import OptionError

duckdb = pytest.importorskip("duckdb")

from urlmill import Normalizer  # noqa: E402
from urlmill.duckdb import register  # noqa: E402


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        yield connection


def test_functions_take_columns_and_keep_null(connection):
    register(connection, preset="crawl")
    rows = connection.sql(
        "SELECT url_normalize(url), url_surt(url), url_key(url) IS NULL FROM "
        "(VALUES ('HTTP://A.b/?b&a#c'), (NULL), ('x')) t(url)"
    ).fetchall()
    assert rows == [("http://a.b/?a&b", "b,a)/?a&b", False), (None, None, True), (None, None, True)]


def test_distinct_keys_count_as_the_normalizer_does(connection, some_urls):
    register(connection, preset="crawl", key=b"k" * 16)
    frame = duckdb.from_arrow(_table(some_urls), connection=connection)
    counted = frame.query("t", "SELECT count(DISTINCT url_key(url)) FROM t").fetchall()
    n = Normalizer("crawl")
    keys = {key for key in n.fingerprint_batch(some_urls, key=b"k" * 16).fingerprints if key}
    assert counted == [(len(keys),)]


def test_parquet_is_deduped(connection, some_urls, tmp_path):
    register(connection, preset="crawl")
    path = tmp_path / "urls.parquet"
    duckdb.from_arrow(_table(some_urls), connection=connection).write_parquet(str(path))
    distinct = connection.sql(
        f"SELECT count(DISTINCT url_normalize(url)) FROM read_parquet('{path}')"
    ).fetchall()
    values = Normalizer("crawl").normalize_batch(some_urls).values
    assert distinct == [(len({value for value in values if value is not None}),)]


def test_a_normalizer_and_options_at_once_are_refused(connection):
    with pytest.raises(OptionError):
        register(connection, "crawl", normalizer=Normalizer())


def _table(urls):
    pa = pytest.importorskip("pyarrow")
    return pa.table({"url": urls})


def test_functions_can_be_registered_again():
    connection = duckdb.connect()
    register(connection)
    register(connection, preset="crawl")
    assert connection.sql("SELECT url_normalize('http://a/#b')").fetchall() == [("http://a/",)]
