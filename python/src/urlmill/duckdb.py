"""Functions for DuckDB: `url_normalize(url)`, `url_key(url)`, `url_surt(url)`, `url_urlkey(url)` and two more.

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
from ._policies import Errors, check_policy, errors_of, statuses_of

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
    prefix: str = "url_",
    errors: Errors = "null",
    **options: "Unpack[NormalizerOptions]",
) -> None:
    """Register the functions with a connection. They take a column of VARCHAR at a time, over Arrow.

    `url_normalize(url)` gives the normal form, `url_key(url)` a fingerprint as a BLOB of 16 bytes, `url_surt(url)` the
    SURT form, `url_urlkey(url)` the key in indexes of web archives. `url_status(url)` gives the number of a `Status`,
    and `url_error(url)` its name, such as BAD_HOST, or NULL for a URL. NULL stays NULL. What is not a URL becomes NULL,
    or what `errors` says, as in `Normalizer.normalize_batch`; it has no key. Options are those of `Normalizer`. `key`
    is the key of fingerprints, 16 bytes: give it where keys outlive the connection.

    `prefix` begins the names of the functions: with one for each preset, a connection has several. Functions that an
    earlier call registered under the same names are replaced. Raises `OptionError`, and `PackageMissingError` without
    pyarrow.
    """
    import duckdb

    with needing_pyarrow("duckdb"):
        import pyarrow  # noqa: F401

    check_policy(errors)
    used = normalizer_of(preset, normalizer, options)
    functions = {
        "normalize": (lambda urls: used.normalize_batch(urls, errors=errors).values, "VARCHAR"),
        "key": (lambda urls: _binary(used.fingerprint_batch(urls, key=key)), "BLOB"),
        "surt": (lambda urls: used.surt_batch(urls, errors=errors).values, "VARCHAR"),
        "urlkey": (lambda urls: used.urlkey_batch(urls, errors=errors).values, "VARCHAR"),
        "status": (lambda urls: statuses_of(used.normalize_batch(urls).status), "UTINYINT"),
        "error": (lambda urls: errors_of(used.normalize_batch(urls).status), "VARCHAR"),
    }
    for end, (function, kind) in functions.items():
        name = f"{prefix}{end}"
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
