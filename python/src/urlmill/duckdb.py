"""Functions for DuckDB: `url_normalize(url)`, `url_key(url)` and `url_surt(url)`.

>>> import duckdb
>>> from urlmill.duckdb import register
>>> connection = duckdb.connect()
>>> register(connection, preset="crawl")
>>> connection.sql("SELECT url_normalize('HTTP://A/?b&a#c')").fetchall()
[('http://a/?a&b',)]
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ._errors import needing_pyarrow
from ._normalizer import Normalizer, normalizer_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from typing_extensions import Unpack

    from ._option_types import NormalizerOptions, PresetName


def register(
    connection: "DuckDBPyConnection",
    preset: "PresetName | None" = None,
    *,
    normalizer: Normalizer | None = None,
    key: bytes | None = None,
    **options: "Unpack[NormalizerOptions]",
) -> None:
    """Register the functions with a connection. They take a column of VARCHAR at a time, over Arrow.

    `url_normalize(url)` gives the normal form, `url_key(url)` a fingerprint as a BLOB of 16 bytes, `url_surt(url)` the
    SURT form. NULL stays NULL, and what is not a URL becomes NULL. Options are those of `Normalizer`. `key` is
    the key of fingerprints, 16 bytes: give it where keys outlive the connection. Functions that an earlier call
    registered are replaced. Raises `OptionError`, and `PackageMissingError` without pyarrow.
    """
    import duckdb

    with needing_pyarrow("duckdb"):
        import pyarrow  # noqa: F401

    used = normalizer_of(preset, normalizer, options)
    functions = {
        "url_normalize": (lambda urls: used.normalize_batch(urls).values, "VARCHAR"),
        "url_key": (lambda urls: _binary(used.fingerprint_batch(urls, key=key)), "BLOB"),
        "url_surt": (lambda urls: used.surt_batch(urls).values, "VARCHAR"),
    }
    for name, (function, kind) in functions.items():
        with suppress(
            duckdb.InvalidInputException
        ):  # raised where no function of Python has the name
            connection.remove_function(name)
        connection.create_function(
            name,
            function,
            [duckdb.sqltype("VARCHAR")],
            duckdb.sqltype(kind),
            type="arrow",
            null_handling="special",
        )


def _binary(keys: Any) -> Any:
    """Return fingerprints as binary: DuckDB does not take fixed-size binary of a function."""
    import pyarrow as pa

    return keys.fingerprints.cast(pa.binary())
