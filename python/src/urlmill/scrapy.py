"""Request fingerprints and a dupe filter for Scrapy.

In `settings.py`::

    REQUEST_FINGERPRINTER_CLASS = "urlmill.scrapy.RequestFingerprinter"
    DUPEFILTER_CLASS = "urlmill.scrapy.DupeFilter"  # takes less memory; with JOBDIR, a set on disk
    URLMILL_OPTIONS = {"preset": "crawl", "drop_params": ["ref"]}  # as for Normalizer

With learned rules, pages also tell which other URLs they are::

    URLMILL_OPTIONS = {"preset": "crawl", "rules": Path("rules.tsv")}
    DOWNLOADER_MIDDLEWARES = {"urlmill.scrapy.PageTrustMiddleware": 560}

and a crawl for an index need not fetch what its rules say no index wants::

    URLMILL_SKIP = ["noindex"]
    DOWNLOADER_MIDDLEWARES = {"urlmill.scrapy.SkipMiddleware": 550}
"""

from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from scrapy.dupefilters import RFPDupeFilter
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import HtmlResponse
from scrapy.utils.job import job_dir

from ._normalizer import Normalizer
from ._seen import SeenSet
from .trust import PageTrust, SkipFilter

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

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
    """Filters requests by a `SeenSet`: in memory, or with `JOBDIR` on disk in its folder `urlmill.seen`.

    In memory it takes up to 24 bytes for each URL. On disk it is far larger than memory, and goes on where the last run
    stopped; one crawl at a time may use it, with the same `URLMILL_OPTIONS`. Requests that are not GET, or have a body,
    go by their fingerprints, as in Scrapy's own filter.

    After a crash, the last 1,024 to 2,048 pages are new again, for Scrapy may not have fetched them; so no request that
    Scrapy's own filter would let pass is lost. All others stay known.
    """

    _normalizer: Normalizer
    _seen: SeenSet
    _recent: "RecentPages | None"

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "DupeFilter":
        """Make a filter by the settings of a crawler. Raise `SeenError` for a set that cannot be opened."""
        directory, normalizer = job_dir(crawler.settings), _normalizer_of(crawler)
        if directory is None:
            seen = SeenSet(normalizer=normalizer)
        else:
            path = Path(directory, "urlmill.seen")
            seen = SeenSet.open(path, store="disk", normalizer=normalizer)
        made: DupeFilter = super().from_crawler(crawler)
        made._normalizer, made._seen = normalizer, seen
        made._recent = None if directory is None else RecentPages(seen)
        return made

    def request_seen(self, request: "Request") -> bool:
        """Return whether an equal request came before, and remember it."""
        if request.method == "GET" and not request.body:
            url = self._normalizer.try_normalize(request.url).url
            if url is not None:
                return not (self._recent or self._seen).add(url)
        return bool(super().request_seen(request))

    def close(self, reason: str) -> None:
        """Record what is left, and close the set."""
        super().close(reason)
        with self._seen:
            if self._recent is not None:
                self._recent.record(0)


class PageTrustMiddleware:
    """Ignores requests for URLs that a fetched page said it is, as far as the rules of the crawl trust that.

    The rules are those of `URLMILL_OPTIONS`. The setting `URLMILL_TRUST = False` switches it off. Requests with
    `dont_filter`, another method than GET, or a body pass. It keeps up to 24 bytes for each such URL in memory. Its
    place among `DOWNLOADER_MIDDLEWARES` is below 590, so that it gets pages after they were decompressed.
    """

    def __init__(self, normalizer: Normalizer, trust: PageTrust) -> None:
        self._normalizer = normalizer
        self._trust = trust
        self._same = SeenSet(normalizer=normalizer)

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "PageTrustMiddleware":
        """Make a middleware by the settings of a crawler. Raise `OptionError` for a file that is not one of rules."""
        normalizer = _normalizer_of(crawler)
        rules = normalizer.options.get("rules")
        if rules is None or not crawler.settings.getbool("URLMILL_TRUST", True):
            raise NotConfigured
        return cls(normalizer, PageTrust(rules))

    def process_request(self, request: "Request", spider: object = None) -> None:
        """Raise `IgnoreRequest` for a URL of a page that was fetched."""
        if request.method != "GET" or request.body or request.dont_filter:
            return
        url = self._normalizer.try_normalize(request.url).url
        if url is not None and self._same.has(url):
            raise IgnoreRequest(f"a page that was fetched says that it is {request.url}")

    def process_response(
        self, request: "Request", response: "Response", spider: object = None
    ) -> "Response":
        """Remember what a page says it is."""
        if isinstance(response, HtmlResponse) and 200 <= response.status < 300:
            link = b",".join(response.headers.getlist("Link")).decode("latin-1")
            same = self._trust.same_as(response.url, response.text, link)
            self._same.add_batch(same)
        return response


class SkipMiddleware:
    """Ignores requests for URLs that a crawl need not fetch, by lines with `noindex` and `exhausted` in its rules.

    The rules are those of `URLMILL_OPTIONS`. The setting `URLMILL_SKIP` lists the reasons that count, and nothing is
    ignored without it. Lines of exhausted patterns count for `URLMILL_SKIP_DAYS` days, 7 without the setting. Requests
    with `dont_filter`, another method than GET, or a body pass.
    """

    def __init__(self, normalizer: Normalizer, skips: SkipFilter) -> None:
        self._normalizer = normalizer
        self._skips = skips

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "SkipMiddleware":
        """Make a middleware by the settings of a crawler. Raise `OptionError` for a file that is not one of rules."""
        normalizer = _normalizer_of(crawler)
        rules, reasons = normalizer.options.get("rules"), crawler.settings.getlist("URLMILL_SKIP")
        if rules is None or not reasons:
            raise NotConfigured
        days = crawler.settings.getint("URLMILL_SKIP_DAYS", 7)
        return cls(normalizer, SkipFilter(rules, reasons, days=days))

    def process_request(self, request: "Request", spider: object = None) -> None:
        """Raise `IgnoreRequest` for a URL that need not be fetched."""
        if request.method != "GET" or request.body or request.dont_filter:
            return
        url = self._normalizer.try_normalize(request.url).url
        reason = None if url is None else self._skips.why(url)
        if reason is not None:
            raise IgnoreRequest(f"the rules say that {request.url} is {reason}")


class RecentPages:
    """Keeps the newest pages in memory, and records older ones."""

    def __init__(self, seen: SeenSet) -> None:
        self._seen = seen
        self._pages: dict[str, None] = {}

    def add(self, url: str) -> bool:
        """Add a normalized URL. Return whether it is new."""
        if url in self._pages or self._seen.has(url):
            return False
        self._pages[url] = None
        if len(self._pages) >= 2 * _RECENT:
            self.record(_RECENT)
        return True

    def record(self, left: int) -> None:
        """Record all pages but the newest."""
        pages = list(self._pages)
        self._seen.add_batch(pages[: len(pages) - left])
        self._pages = dict.fromkeys(pages[len(pages) - left :])


_RECENT = 1024
"""How many pages are forgotten at least after a crash. Scrapy's own filter forgets 372, those in a buffer of 8 KiB."""
