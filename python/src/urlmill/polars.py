"""A namespace `url` for expressions and Series of Polars. Importing this module registers it.

>>> import polars as pl
>>> import urlmill.polars
>>> frame = pl.DataFrame({"url": ["HTTP://A/?b&a", None, "x"]})
>>> frame.select(pl.col("url").url.normalize(preset="crawl"))["url"].to_list()
['http://a/?a&b', None, None]

Type checkers do not know the attribute `url`. `of` gives the same, and they know what it returns:

>>> from urlmill import polars as url
>>> frame.select(url.of(pl.col("url")).normalize(preset="crawl"))["url"].to_list()
['http://a/?a&b', None, None]
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

import polars as pl

from ._normalizer import Normalizer
from ._policies import Errors, check_policy, errors_of, statuses_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._option_types import NormalizerOptions, PresetName


def _normalized(
    preset: "PresetName | None", errors: Errors, options: "NormalizerOptions"
) -> Callable[[pl.Series], pl.Series]:
    check_policy(errors)
    n = Normalizer(preset, **options)
    return lambda urls: n.normalize_batch(urls, errors=errors).values.cast(pl.String)


def _statuses(
    preset: "PresetName | None", of: Callable[[Any], Any], options: "NormalizerOptions"
) -> Callable[[pl.Series], pl.Series]:
    n = Normalizer(preset, **options)
    return lambda urls: pl.Series(urls.name, of(n.normalize_batch(urls).status.to_arrow()))


def _keys(
    preset: "PresetName | None", key: bytes | None, bits: int, options: "NormalizerOptions"
) -> Callable[[pl.Series], pl.Series]:
    n = Normalizer(preset, **options)
    return lambda urls: n.fingerprint_batch(urls, key=key, bits=bits).fingerprints


def _surts(
    preset: "PresetName | None", errors: Errors, options: "NormalizerOptions"
) -> Callable[[pl.Series], pl.Series]:
    check_policy(errors)
    n = Normalizer(preset, **options)
    return lambda urls: n.surt_batch(urls, errors=errors).values.cast(pl.String)


def _urlkeys(
    preset: "PresetName | None", errors: Errors, keep_www: bool, options: "NormalizerOptions"
) -> Callable[[pl.Series], pl.Series]:
    check_policy(errors)
    n = Normalizer(preset, **options)
    return lambda urls: n.urlkey_batch(urls, errors=errors, keep_www=keep_www).values.cast(
        pl.String
    )


@pl.api.register_expr_namespace("url")
class UrlExpr:
    """Holds what `pl.col("url").url` can do. Options are those of `Normalizer`.

    The column may be String, Binary, Categorical or Enum. Null stays null. What is not a URL becomes null, or what
    `errors` says, as in `Normalizer.normalize_batch`.
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def normalize(
        self,
        preset: "PresetName | None" = None,
        *,
        errors: Errors = "null",
        **options: "Unpack[NormalizerOptions]",
    ) -> pl.Expr:
        """Return the normal form of each URL, as String."""
        return self._map(_normalized(preset, errors, options), pl.String)

    def fingerprint(
        self,
        preset: "PresetName | None" = None,
        *,
        key: bytes | None = None,
        bits: int = 128,
        **options: "Unpack[NormalizerOptions]",
    ) -> pl.Expr:
        """Return the fingerprint of each URL, as Binary of 16 or 8 bytes.

        `key` has 16 bytes. Without it, it is random for each expression, so that two expressions do not compare.
        """
        return self._map(_keys(preset, key, bits, options), pl.Binary)

    def surt(
        self,
        preset: "PresetName | None" = None,
        *,
        errors: Errors = "null",
        **options: "Unpack[NormalizerOptions]",
    ) -> pl.Expr:
        """Return the SURT form of each URL, as String."""
        return self._map(_surts(preset, errors, options), pl.String)

    def urlkey(
        self,
        preset: "PresetName | None" = None,
        *,
        errors: Errors = "null",
        keep_www: bool = False,
        **options: "Unpack[NormalizerOptions]",
    ) -> pl.Expr:
        """Return the key of each URL in indexes of web archives, as String (`Normalizer.urlkey`)."""
        return self._map(_urlkeys(preset, errors, keep_www, options), pl.String)

    def status(
        self, preset: "PresetName | None" = None, **options: "Unpack[NormalizerOptions]"
    ) -> pl.Expr:
        """Return the `Status` of each row as UInt8: 0 and 1 are URLs. Null stays null."""
        return self._map(_statuses(preset, statuses_of, options), pl.UInt8)

    def error(
        self, preset: "PresetName | None" = None, **options: "Unpack[NormalizerOptions]"
    ) -> pl.Expr:
        """Return the code of the error of each row, such as BAD_HOST; null for a URL and for null."""
        return self._map(_statuses(preset, errors_of, options), pl.String)

    def _map(self, function: Callable[[pl.Series], pl.Series], dtype: Any) -> pl.Expr:
        return self._expr.map_batches(function, return_dtype=dtype, is_elementwise=True)


@pl.api.register_series_namespace("url")
class UrlSeries:
    """Holds what `series.url` can do, as `UrlExpr` for a Series."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def normalize(
        self,
        preset: "PresetName | None" = None,
        *,
        errors: Errors = "null",
        **options: "Unpack[NormalizerOptions]",
    ) -> pl.Series:
        """Return the normal form of each URL, as String."""
        return _normalized(preset, errors, options)(self._series)

    def fingerprint(
        self,
        preset: "PresetName | None" = None,
        *,
        key: bytes | None = None,
        bits: int = 128,
        **options: "Unpack[NormalizerOptions]",
    ) -> pl.Series:
        """Return the fingerprint of each URL, as Binary of 16 or 8 bytes, under `key` of 16 bytes or a random one."""
        return _keys(preset, key, bits, options)(self._series)

    def surt(
        self,
        preset: "PresetName | None" = None,
        *,
        errors: Errors = "null",
        **options: "Unpack[NormalizerOptions]",
    ) -> pl.Series:
        """Return the SURT form of each URL, as String."""
        return _surts(preset, errors, options)(self._series)

    def urlkey(
        self,
        preset: "PresetName | None" = None,
        *,
        errors: Errors = "null",
        keep_www: bool = False,
        **options: "Unpack[NormalizerOptions]",
    ) -> pl.Series:
        """Return the key of each URL in indexes of web archives, as String (`Normalizer.urlkey`)."""
        return _urlkeys(preset, errors, keep_www, options)(self._series)

    def status(
        self, preset: "PresetName | None" = None, **options: "Unpack[NormalizerOptions]"
    ) -> pl.Series:
        """Return the `Status` of each row as UInt8: 0 and 1 are URLs. Null stays null."""
        return _statuses(preset, statuses_of, options)(self._series)

    def error(
        self, preset: "PresetName | None" = None, **options: "Unpack[NormalizerOptions]"
    ) -> pl.Series:
        """Return the code of the error of each row, such as BAD_HOST; null for a URL and for null."""
        return _statuses(preset, errors_of, options)(self._series)


@overload
def of(column: pl.Expr) -> UrlExpr: ...
@overload
def of(column: pl.Series) -> UrlSeries: ...  # type: ignore[overload-cannot-match]
def of(column: pl.Expr | pl.Series) -> UrlExpr | UrlSeries:
    """Return what `column.url` is, with a type that mypy and pyright know.

    >>> of(pl.Series(["HTTP://A"])).normalize().to_list()
    ['http://a/']
    """
    return UrlSeries(column) if isinstance(column, pl.Series) else UrlExpr(column)
