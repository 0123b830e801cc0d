"""An accessor `url` for Series of pandas. Importing this module registers it.

>>> import pandas as pd
>>> import urlmill.pandas
>>> pd.Series(["HTTP://A/?b&a", None, "x"]).url.normalize(preset="crawl").tolist()[0]
'http://a/?a&b'
"""

from typing import TYPE_CHECKING, Any

from pandas.api.extensions import register_series_accessor

from ._normalizer import Normalizer

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Unpack

    from ._option_types import NormalizerOptions, PresetName


@register_series_accessor("url")
class UrlAccessor:
    """Holds what `series.url` can do. Options are those of `Normalizer`.

    Null stays null, and what is not a URL becomes null.
    """

    def __init__(self, series: "pd.Series[Any]") -> None:
        self._series = series

    def normalize(self, preset: "PresetName | None" = None, **options: "Unpack[NormalizerOptions]") -> "pd.Series[Any]":
        """Return the normal form of each URL, with the same index."""
        values: pd.Series[Any] = Normalizer(preset, **options).normalize_batch(self._series).values
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

    def surt(self, preset: "PresetName | None" = None, **options: "Unpack[NormalizerOptions]") -> "pd.Series[Any]":
        """Return the SURT form of each URL, with the same index."""
        values: pd.Series[Any] = Normalizer(preset, **options).surt_batch(self._series).values
        return values
