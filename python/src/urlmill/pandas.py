"""An accessor `url` for Series of pandas. Importing this module registers it.

>>> import pandas as pd
>>> import urlmill.pandas
>>> pd.Series(["HTTP://A/?b&a", None, "x"]).url.normalize(preset="crawl").tolist()[0]
'http://a/?a&b'

Type checkers do not know the attribute `url`. `of` gives the same, and they know what it returns:

>>> from urlmill import pandas as url
>>> url.of(pd.Series(["HTTP://A"])).normalize().tolist()
['http://a/']
"""

from typing import TYPE_CHECKING, Any

from pandas.api.extensions import register_series_accessor

from ._normalizer import Normalizer
from ._policies import Errors
from ._status import Status

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Unpack

    from ._option_types import NormalizerOptions, PresetName


@register_series_accessor("url")
class UrlAccessor:
    """Holds what `series.url` can do. Options are those of `Normalizer`.

    Null stays null. What is not a URL becomes null, or what `errors` says, as in `Normalizer.normalize_batch`.
    """

    def __init__(self, series: "pd.Series[Any]") -> None:
        self._series = series

    def normalize(
        self,
        preset: "PresetName | None" = None,
        *,
        errors: Errors = "null",
        **options: "Unpack[NormalizerOptions]",
    ) -> "pd.Series[Any]":
        """Return the normal form of each URL, with the same index."""
        n = Normalizer(preset, **options)
        values: pd.Series[Any] = n.normalize_batch(self._series, errors=errors).values
        return values

    def fingerprint(
        self,
        preset: "PresetName | None" = None,
        *,
        key: bytes | None = None,
        bits: int = 128,
        **options: "Unpack[NormalizerOptions]",
    ) -> "pd.Series[Any]":
        """Return the fingerprint of each URL: `bytes` of 16 or 8, under `key` of 16 bytes or a random one."""
        n = Normalizer(preset, **options)
        keys: pd.Series[Any] = n.fingerprint_batch(self._series, key=key, bits=bits).fingerprints
        return keys

    def surt(
        self,
        preset: "PresetName | None" = None,
        *,
        errors: Errors = "null",
        **options: "Unpack[NormalizerOptions]",
    ) -> "pd.Series[Any]":
        """Return the SURT form of each URL, with the same index."""
        n = Normalizer(preset, **options)
        values: pd.Series[Any] = n.surt_batch(self._series, errors=errors).values
        return values

    def urlkey(
        self,
        preset: "PresetName | None" = None,
        *,
        errors: Errors = "null",
        keep_www: bool = False,
        **options: "Unpack[NormalizerOptions]",
    ) -> "pd.Series[Any]":
        """Return the key of each URL in indexes of web archives, with the same index (`Normalizer.urlkey`)."""
        n = Normalizer(preset, **options)
        keys = n.urlkey_batch(self._series, errors=errors, keep_www=keep_www)
        values: pd.Series[Any] = keys.values
        return values

    def status(
        self, preset: "PresetName | None" = None, **options: "Unpack[NormalizerOptions]"
    ) -> "pd.Series[Any]":
        """Return the `Status` of each row as uint8: 0 and 1 are URLs, 14 is null."""
        codes: pd.Series[Any] = Normalizer(preset, **options).normalize_batch(self._series).status
        return codes.rename(self._series.name)

    def error(
        self, preset: "PresetName | None" = None, **options: "Unpack[NormalizerOptions]"
    ) -> "pd.Series[Any]":
        """Return the code of the error of each row, such as BAD_HOST; None for a URL and for null."""
        names = {code.value: code.name for code in Status if code > Status.CHANGED}
        codes = self.status(preset, **options).where(self._series.notna(), 0).astype(object)
        return codes.map(names.get)


def of(series: "pd.Series[Any]") -> UrlAccessor:
    """Return what `series.url` is, with a type that mypy and pyright know."""
    return UrlAccessor(series)
