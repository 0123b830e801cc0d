"""A normalizer for datatrove's URL deduplication: `UrlDedupConfig(url_normalizer=UrlNormalizer())`.

>>> UrlNormalizer(preset="crawl")("HTTP://A/?b&a#c")
'http://a/?a&b'
"""

from typing import Any

from ._normalizer import Normalizer


class UrlNormalizer:
    """Returns the normal form of a URL, and text that is not a URL as it is. It can be pickled."""

    def __init__(self, preset: str = "crawl", **options: Any) -> None:
        self._normalizer = Normalizer(preset, **options)

    def __call__(self, url: str) -> str:
        """Return the key of a URL."""
        return self._normalizer.try_normalize(url).url or url
