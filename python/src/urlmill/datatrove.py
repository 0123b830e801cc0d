"""A normalizer for datatrove's URL deduplication: `UrlDedupConfig(url_normalizer=UrlNormalizer())`.

A document whose text is not a URL is not a repeat of another: it stays.

>>> UrlNormalizer(preset="crawl")("HTTP://A/?b&a#c")
'http://a/?a&b'
"""

from typing import Any
from uuid import uuid4

from ._normalizer import Normalizer


class UrlNormalizer:
    """Returns the normal form of a URL, and a key of its own for each text that is not a URL. It can be pickled."""

    def __init__(self, preset: str = "crawl", **options: Any) -> None:
        self._normalizer = Normalizer(preset, **options)

    def __call__(self, url: str) -> str:
        """Return the key of a URL."""
        return self._normalizer.try_normalize(url).url or f"{url} {uuid4().hex}"
