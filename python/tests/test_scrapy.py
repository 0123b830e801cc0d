import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

pytest.importorskip("scrapy")

from scrapy import Request

from urlmill import Normalizer
from urlmill.scrapy import RequestFingerprinter

PAGES = 40
SOURCE = str(Path(__file__).parents[1] / "src")


class Site(BaseHTTPRequestHandler):
    """A forum: each page is linked under four spellings, of which two have a session id."""

    fetches: list[str]

    def do_GET(self):
        self.server.fetches.append(self.path)
        page = int(parse_qs(urlsplit(self.path).query).get("t", ["0"])[0])
        links = [
            f"<a href='{link}'>x</a>"
            for to in (2 * page + 1, 2 * page + 2)
            if to < PAGES
            for link in (
                f"/topic?t={to}&f=1",
                f"/topic?f=1&t={to}",
                f"/a/../topic?f=1&t={to}&PHPSESSID={page}",
                f"/topic?t={to}&f=1&utm_source={page}#top",
            )
        ]
        body = f"<html>{''.join(links)}</html>".encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def site():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.fetches = []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


SPIDER = """
import json, sys
from scrapy import Spider
from scrapy.crawler import CrawlerProcess

class Forum(Spider):
    name = "forum"
    start_urls = [sys.argv[1]]
    def parse(self, response):
        yield from response.follow_all(css="a")

settings = {"LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False, "ROBOTSTXT_OBEY": False, "COOKIES_ENABLED": False,
            "REQUEST_FINGERPRINTER_CLASS": "urlmill.scrapy.RequestFingerprinter", **json.loads(sys.argv[2])}
process = CrawlerProcess(settings)
process.crawl(Forum)
process.start()
"""


@pytest.mark.parametrize(
    "settings",
    [{}, {"DUPEFILTER_CLASS": "urlmill.scrapy.DupeFilter"}],
    ids=["fingerprinter", "dupe filter"],
)
def test_a_crawl_fetches_each_page_once(site, settings):
    start = f"http://127.0.0.1:{site.server_port}/topic?t=0&f=1"
    # A process of its own: Twisted's reactor runs once.
    command = [sys.executable, "-c", SPIDER, start, json.dumps(settings)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": SOURCE}, check=True)
    assert len(site.fetches) == PAGES


def test_fingerprints_tell_methods_and_bodies_apart():
    fingerprint = RequestFingerprinter(Normalizer("crawl")).fingerprint
    one = fingerprint(Request("http://a/?b&a"))
    assert len(one) == 20
    assert one == fingerprint(Request("HTTP://A/?a&b#c"))
    assert one != fingerprint(Request("http://a/?a&b", method="POST"))
    posted = fingerprint(Request("http://a/?a&b", method="POST", body=b"1"))
    assert posted != fingerprint(Request("http://a/?a&b", method="POST", body=b"2"))


def test_a_dupe_filter_refuses_a_job_directory(tmp_path):
    from scrapy.utils.test import get_crawler

    from urlmill import OptionError
    from urlmill.scrapy import DupeFilter

    with pytest.raises(OptionError, match="JOBDIR"):
        DupeFilter.from_crawler(get_crawler(settings_dict={"JOBDIR": str(tmp_path)}))


def test_options_come_from_the_settings():
    from scrapy.utils.test import get_crawler

    crawler = get_crawler(settings_dict={"URLMILL_OPTIONS": {"preset": "safe"}})
    fingerprint = RequestFingerprinter.from_crawler(crawler).fingerprint
    assert fingerprint(Request("http://a/?b&a")) != fingerprint(Request("http://a/?a&b"))
