import json
import os
import runpy
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

pytest.importorskip("scrapy")

from scrapy import Request
from scrapy.http import JsonResponse, Response

from urlmill import Normalizer
from urlmill.scrapy import RequestFingerprinter

PAGES = 40
REPOSITORY = Path(__file__).parents[2]
SOURCE = str(REPOSITORY / "python" / "src")


def page_of(path: str) -> int:
    return int(parse_qs(urlsplit(path).query).get("t", ["0"])[0])


class Site(BaseHTTPRequestHandler):
    """A forum: each page is linked under four spellings, of which two have a session id."""

    fetches: list[str]

    def do_GET(self):
        self.server.fetches.append(self.path)
        page = page_of(self.path)
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


def dupe_filter(path: Path):
    from scrapy.utils.test import get_crawler

    from urlmill.scrapy import DupeFilter

    return DupeFilter.from_crawler(get_crawler(settings_dict={"JOBDIR": str(path)}))


def test_fingerprints_tell_pages_apart_that_come_after_a_semicolon():
    fingerprinter = RequestFingerprinter(Normalizer("crawl"))

    def fingerprint(query):
        return fingerprinter.fingerprint(Request(f"http://a/list?{query}"))

    for mark in ("jsessionid=A", "PHPSESSID=A", "utm_source=a;utm_medium=b", "fbclid=c"):
        assert fingerprint(f"{mark};page=1") == fingerprint("page=1")
        assert fingerprint(f"{mark};page=2") == fingerprint("page=2")


def test_a_dupe_filter_with_a_job_directory_goes_on_after_a_clean_stop(tmp_path):
    pages = [Request(f"http://a/{number}?b&a") for number in range(5000)]
    posted = Request("http://a/1?b&a", method="POST", body=b"1")
    first = dupe_filter(tmp_path)
    assert [first.request_seen(page) for page in (*pages, posted)] == [False] * 5001
    assert [first.request_seen(page) for page in (*pages, posted)] == [True] * 5001
    first.close("finished")
    again = dupe_filter(tmp_path)
    assert [again.request_seen(page) for page in (*pages, posted)] == [True] * 5001
    assert again.request_seen(Request("HTTP://A:80/7?a&b#c"))
    assert not again.request_seen(Request("http://a/5000?a&b"))
    again.close("shutdown")


def test_a_job_directory_has_one_crawl_at_a_time_with_the_same_options(tmp_path):
    from scrapy.utils.test import get_crawler

    from urlmill import SeenError
    from urlmill.scrapy import DupeFilter

    first = dupe_filter(tmp_path)
    with pytest.raises(SeenError, match=r"^SEEN_LOCKED"):
        dupe_filter(tmp_path)
    first.close("finished")
    settings = {"JOBDIR": str(tmp_path), "URLMILL_OPTIONS": {"preset": "safe"}}
    with pytest.raises(SeenError, match=r"^SEEN_MISMATCH"):
        DupeFilter.from_crawler(get_crawler(settings_dict=settings))


KILLED = """
import os, signal, sys
from scrapy import Request
from scrapy.http import JsonResponse, Response
from scrapy.dupefilters import RFPDupeFilter
from scrapy.utils.test import get_crawler
from urlmill.scrapy import DupeFilter

_, path, count, is_killed = sys.argv
for of in (DupeFilter, RFPDupeFilter):
    crawler = get_crawler(settings_dict={"JOBDIR": os.path.join(path, of.__name__)})
    made = of.from_crawler(crawler)
    print("".join("01"[made.request_seen(Request(f"http://a/{n}"))] for n in range(int(count))))
    if of is RFPDupeFilter and is_killed == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    kept = made if is_killed == "killed" else made.close("finished")
"""


@pytest.mark.parametrize("count", [100, 3000, 4096])
def test_after_a_kill_a_request_is_new_again_if_it_is_new_for_scrapys_own_filter(tmp_path, count):
    for how in ("killed", "asked"):
        command = [sys.executable, "-c", KILLED, str(tmp_path), str(count), how]
        environment = {**os.environ, "PYTHONPATH": SOURCE}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    ours, own = done.stdout.split()
    assert ours.count("0") <= 2048
    for answers in (ours, own):
        assert answers == "1" * answers.count("1") + "0" * answers.count("0")
    assert ours.count("0") >= own.count("0")


def test_a_crawl_that_is_stopped_and_started_again_fetches_each_page_once(site, tmp_path):
    start = f"http://127.0.0.1:{site.server_port}/topic?t=0&f=1"
    settings = {"DUPEFILTER_CLASS": "urlmill.scrapy.DupeFilter", "JOBDIR": str(tmp_path / "job")}
    for more in ({"CLOSESPIDER_PAGECOUNT": 10, "CONCURRENT_REQUESTS": 1}, {}):
        command = [sys.executable, "-c", SPIDER, start, json.dumps({**settings, **more})]
        subprocess.run(command, env={**os.environ, "PYTHONPATH": SOURCE}, check=True)
    fetched = set(map(page_of, site.fetches))
    assert len(fetched) == PAGES
    # The first page is not filtered: it begins each run.
    assert len(site.fetches) <= PAGES + 1


def test_options_come_from_the_settings():
    from scrapy.utils.test import get_crawler

    crawler = get_crawler(settings_dict={"URLMILL_OPTIONS": {"preset": "safe"}})
    fingerprint = RequestFingerprinter.from_crawler(crawler).fingerprint
    assert fingerprint(Request("http://a/?b&a")) != fingerprint(Request("http://a/?a&b"))


class Topics(Site):
    """Topics of three posts, which have URLs of their own that show the topic."""

    def do_GET(self):
        self.server.fetches.append(self.path)
        asked = {
            name: int(values[0]) for name, values in parse_qs(urlsplit(self.path).query).items()
        }
        topic = asked["p"] // 3 if "p" in asked else asked["t"]
        posts = [
            f"<a href='/topic?p={post}#p{post}'>link</a><div id=p{post}>post</div>"
            for post in range(3 * topic, 3 * topic + 3)
        ]
        ahead = [
            f"<a href='/topic?t={to}'>next</a>"
            for to in (2 * topic + 1, 2 * topic + 2)
            if to < PAGES
        ]
        body = f"<html><body>{''.join(ahead + posts)}</body></html>".encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(body)


@pytest.mark.parametrize(("is_trusted", "fetches"), [(True, PAGES), (False, 4 * PAGES)])
def test_a_crawl_fetches_no_url_that_a_fetched_page_says_it_is(site, tmp_path, is_trusted, fetches):
    site.RequestHandlerClass = Topics
    rules = tmp_path / "rules.tsv"
    host = f"127.0.0.1:{site.server_port}"
    rules.write_text(f"#urlmill-rules 1\n{host}\t/topic ?p\ttrust self #p<N>\n")
    settings = {
        "URLMILL_OPTIONS": {"preset": "crawl", "rules": rules.read_text()},
        "URLMILL_TRUST": is_trusted,
        "DOWNLOADER_MIDDLEWARES": {"urlmill.scrapy.PageTrustMiddleware": 560},
    }
    command = [sys.executable, "-c", SPIDER, f"http://{host}/topic?t=0", json.dumps(settings)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": SOURCE}, check=True)
    assert len(site.fetches) == fetches
    assert {path for path in site.fetches if "t=" in path} == {
        f"/topic?t={t}" for t in range(PAGES)
    }


@pytest.mark.parametrize(("reasons", "skipped"), [(["noindex"], 2), ([], 0)])
def test_a_crawl_fetches_no_url_that_its_rules_skip_for_a_reason_that_counts(
    site, tmp_path, reasons, skipped
):
    host = f"127.0.0.1:{site.server_port}"
    rules = f"#urlmill-rules 1\n{host}\t/topic ?t={PAGES - 1}\tnoindex\n{host}\t/topic ?t={PAGES - 2}\tnoindex\n"
    settings = {
        "URLMILL_OPTIONS": {"preset": "crawl", "rules": rules},
        "URLMILL_SKIP": reasons,
        "REQUEST_FINGERPRINTER_CLASS": "urlmill.scrapy.RequestFingerprinter",
        "DOWNLOADER_MIDDLEWARES": {"urlmill.scrapy.SkipMiddleware": 550},
    }
    command = [sys.executable, "-c", SPIDER, f"http://{host}/topic?t=0&f=1", json.dumps(settings)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": SOURCE}, check=True)
    assert len(set(map(page_of, site.fetches))) == PAGES - skipped


class Listed(Site):
    """Topics under two URLs, pages that robots.txt forbids, pages that moved, and pages that are gone."""

    def do_GET(self):
        self.server.fetches.append(self.path)
        path, topic = urlsplit(self.path).path, page_of(self.path)
        self.send_response({"/topic": 200, "/robots.txt": 200, "/moved": 301}.get(path, 404))
        if path == "/moved":
            self.send_header("location", f"/topic?t={topic}")
        self.send_header("content-type", "text/html")
        self.end_headers()
        robots = "User-agent: *\nDisallow: /private/\n"
        self.wfile.write((robots if path == "/robots.txt" else f"<p>Topic {topic}").encode())


def test_the_records_of_the_example_settle_what_a_probe_asks(site, tmp_path):
    site.RequestHandlerClass = Listed
    root = f"http://127.0.0.1:{site.server_port}"
    targets = [f"/topic?t={at}" + more for at in range(PAGES) for more in ("", f"&sid={at}")]
    targets += ["/private/1", "/moved?t=2", "/gone"]
    links, records, asked = (tmp_path / name for name in ("links.txt", "records.jsonl", "next.txt"))
    links.write_text("".join(f"{root}{target}\n" for target in targets))
    records.touch()

    def learn(*flags):
        command = ["node", REPOSITORY / "dist" / "cli" / "main.js", "learn", *flags]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)

    example = REPOSITORY / "examples" / "fetch_records.py"
    crawl = [sys.executable, "-m", "scrapy", "runspider", example, "-a", f"urls={asked}"]
    for _ in range(PAGES):
        learn("plan", "--probe", "--fetches", "60", links, records, "-o", asked)
        if asked.read_text() == "":
            break
        subprocess.run([*crawl, "-o", records, "-L", "ERROR"], check=True)
    fetched = [json.loads(line)["url"] for line in records.read_text().splitlines()]
    assert len(fetched) == 60
    # One page of each kind that differs from others is fetched again.
    assert 1 <= len(fetched) - len(set(fetched)) <= 4
    assert [path for path in site.fetches if path.startswith("/private/")] == []
    learn(links, records, "-o", tmp_path / "rules.tsv")
    assert "\t/topic\tdrop sid\tfingerprint n=" in (tmp_path / "rules.tsv").read_text()


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (Response("http://a/f.pdf", body=b"%PDF-1.7 \0\1"), ("fp", "raw:")),
        (JsonResponse("http://a/f.json", body=b"{}"), ("fp", "raw:")),
        (Response("http://a/f", 301, {"location": b"/caf\xe9"}), ("redirect", "/caf%E9")),
    ],
)
def test_the_example_has_a_record_of_what_is_not_html(tmp_path, response, expected):
    (tmp_path / "next.txt").write_text(f"{response.url}\n")
    example = runpy.run_path(str(REPOSITORY / "examples" / "fetch_records.py"))
    spider = example["Records"](tmp_path / "next.txt")
    response.request = Request(response.url)
    [record] = spider.parse(response)
    name, begin = expected
    assert record[name].startswith(begin)
