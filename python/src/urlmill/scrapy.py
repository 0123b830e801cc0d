"""Request fingerprints and a dupe filter for Scrapy.

In `settings.py`::

    REQUEST_FINGERPRINTER_CLASS = "urlmill.scrapy.RequestFingerprinter"
    DUPEFILTER_CLASS = "urlmill.scrapy.DupeFilter"  # takes less memory; without JOBDIR only
    URLMILL_OPTIONS = {"preset": "crawl", "drop_params": ["ref"]}  # as for Normalizer
"""

from hashlib import sha1
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from scrapy.dupefilters import RFPDupeFilter

from ._errors import OptionError
from ._normalizer import Normalizer
from ._seen import SeenSet

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

DEFAULT_OPTIONS = {"preset": "crawl"}
"""What `URLMILL_OPTIONS` is without the setting."""


def _normalizer_of(crawler: "Crawler") -> Normalizer:
    options = crawler.settings.getdict("URLMILL_OPTIONS") or DEFAULT_OPTIONS
    return Normalizer(**options)


class RequestFingerprinter:
    """Gives equal fingerprints to requests with equal normal forms, methods and bodies.

    A fingerprint is the SHA-1 of these three, so it is the same in every process and can be stored (`JOBDIR`, HTTP
    cache). A URL without a normal form counts as it is. Preset `crawl` removes fragments; where they name pages, use
    `URLMILL_OPTIONS = {"preset": "crawl", "fragment": "keep-route"}`.
    """

    def __init__(self, normalizer: Normalizer) -> None:
        self._normalizer = normalizer
        self._known: WeakKeyDictionary[Request, bytes] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "RequestFingerprinter":
        """Make a fingerprinter by the settings of a crawler."""
        return cls(_normalizer_of(crawler))

    def fingerprint(self, request: "Request") -> bytes:
        """Return 20 bytes."""
        known = self._known.get(request)
        if known is None:
            url = self._normalizer.try_normalize(request.url).url or request.url
            digest = sha1(f"{request.method}\n{url}\n".encode(), usedforsecurity=False)
            digest.update(request.body)
            known = self._known[request] = digest.digest()
        return known


class DupeFilter(RFPDupeFilter):
    """Filters requests by a `SeenSet`, which takes up to 24 bytes for each URL.

    Requests that are not GET, or have a body, go by their fingerprints, as in Scrapy's own filter. The set is in
    memory: with `JOBDIR`, use Scrapy's `RFPDupeFilter`, which takes `RequestFingerprinter` too.
    """

    _seen: SeenSet

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "DupeFilter":
        """Make a filter by the settings of a crawler. Raise `OptionError` where `JOBDIR` is set."""
        if crawler.settings.get("JOBDIR"):
            raise OptionError(
                "BAD_OPTION",
                "DUPEFILTER_CLASS: this filter cannot be stored in JOBDIR, use Scrapy's RFPDupeFilter",
            )
        made: DupeFilter = super().from_crawler(crawler)
        made._seen = SeenSet(normalizer=_normalizer_of(crawler))
        return made

    def request_seen(self, request: "Request") -> bool:
        """Return whether an equal request came before, and remember it."""
        if request.method == "GET" and not request.body:
            answer = self._seen.add_batch([request.url])[0]
            if answer <= 1:
                return bool(answer == 0)
        return bool(super().request_seen(request))
