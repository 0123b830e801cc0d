"""Fetch the URLs that `urlmill learn plan --probe` lists with Scrapy, and write a record of each.

robots.txt is obeyed. Ask, fetch and learn:

    pip install scrapy
    npm install -g urlmill
    touch fetched.jsonl
    while urlmill learn plan --probe links.txt fetched.jsonl -o next.txt && [ -s next.txt ]; do
      scrapy runspider fetch_records.py -a urls=next.txt -o fetched.jsonl
    done
    urlmill learn links.txt fetched.jsonl -o rules.tsv
"""

import hashlib
from pathlib import Path

from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.utils.response import get_meta_refresh
from w3lib.url import safe_url_string

TEXTS = "//body//text()[not(ancestor::script or ancestor::style)]"


def digest(content):
    """Return what stands for bytes."""
    return hashlib.sha256(content).hexdigest()[:32]


class Records(Spider):
    """Fetches each URL of a file once, one after the other."""

    name = "records"
    custom_settings = {  # noqa: RUF012
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": 1,
        "COOKIES_ENABLED": False,
        "HTTPERROR_ALLOW_ALL": True,
        "METAREFRESH_ENABLED": False,
        "REDIRECT_ENABLED": False,
    }

    def __init__(self, urls, **given):
        """Take the file that lists the URLs, as `-a urls=FILE`."""
        super().__init__(**given)
        self.urls = Path(urls).read_text(encoding="utf-8").splitlines()

    async def start(self):
        """Ask for each URL."""
        for url in self.urls:
            yield Request(url, errback=self.failed, dont_filter=True)

    def parse(self, response):
        """Say what a page shows, and what it says of its other URLs."""
        record = {"url": response.request.url, "status": response.status}
        if response.status >= 300:
            location = response.headers.get("location")
            yield record if location is None else {**record, "redirect": safe_url_string(location)}
            return
        if not isinstance(response, HtmlResponse):
            # A URL without a record would be asked for again.
            yield {**record, "fp": f"raw:{digest(response.body)}"}
            return
        seconds, target = get_meta_refresh(response)
        if target is not None and seconds <= 1:
            record["refresh"] = target
        canonical = response.css("head link[rel=canonical]::attr(href)").get()
        if canonical is not None:
            record["canonical"] = canonical
        text = " ".join(" ".join(response.xpath(TEXTS).getall()).split())
        yield {**record, "fp": f"text:{digest(text.encode())}"}

    def failed(self, failure):
        """Answer for a page that robots.txt forbids or that did not come: it is not asked for again."""
        yield {"url": failure.request.url, "status": 403 if failure.check(IgnoreRequest) else 503}
