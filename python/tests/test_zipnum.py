"""Indexes that `urlmill cdx` writes, as pywb itself looks captures up in them."""

import random
import warnings
from pathlib import Path
from typing import Any

import pytest
from test_command import node as node_command

from urlmill import Normalizer

with warnings.catch_warnings():
    # pywb imports modules of Python that are deprecated.
    warnings.simplefilter("ignore")
    pytest.importorskip("pywb")
    from pywb.warcserver.index.indexsource import FileIndexSource
    from pywb.warcserver.index.query import CDXQuery
    from pywb.warcserver.index.zipnum import ZipNumIndexSource

HEADER = " CDX N b a m s k r M S V g\n"
PAGES = 4000


def captures(urls: list[str], is_json: bool) -> list[tuple[str, str]]:
    """Return pages with their captures, one line each, with a key that is to be replaced."""
    choose = random.Random(1)
    lines = []
    for number in range(4 * PAGES):
        url = choose.choice(urls)
        time = f"2026{choose.randrange(10**10):010}"
        fields = f'{{"url": "{url}", "mime": "text/html", "offset": "{number}"}}'
        plain = f"{url} text/html 200 - - - 9 {number} a.warc.gz"
        lines.append((url, f"old {time} {fields if is_json else plain}\n"))
    return lines


def found(source: Any, url: str, match: str = "exact") -> list[str]:
    query = CDXQuery({"url": url, "matchType": match}).params
    return [f"{capture}\n" for capture in source.load_index(query)]


@pytest.mark.parametrize("is_json", [False, True], ids=["cdx", "cdxj"])
def test_pywb_finds_all_captures(is_json: bool, some_urls: list[str], tmp_path: Path) -> None:
    urls = [url for url in some_urls if url.startswith("http") and not set(url) & set(' "\\')]
    urls = [url for url in urls if url.isascii()][:PAGES]
    lines = captures(urls, is_json)
    text = ("" if is_json else HEADER) + "".join(line for _, line in lines)
    (tmp_path / "old").write_text(text)
    for call in (
        ["rekey", "--memory", "1M", "old", "-o", "keyed.cdx"],
        ["zipnum", "keyed.cdx", "-o", "zipped"],
    ):
        result = node_command("cdx", *call, cwd=tmp_path)
        assert result.returncode == 0, result.stderr
    keys = Normalizer()
    by_key: dict[str, list[str]] = {}
    for url, line in lines:
        key = keys.urlkey(url)
        by_key.setdefault(key, []).append(line.replace("old", key, 1))
    members = len((tmp_path / "zipped.idx").read_text().splitlines())
    assert members == 6
    plain = FileIndexSource(str(tmp_path / "keyed.cdx"))
    zipped = ZipNumIndexSource(str(tmp_path / "zipped.idx"))
    for url in urls[::7]:
        expected = sorted(by_key.get(keys.urlkey(url), []), key=str.encode)
        assert found(plain, url) == expected
        assert found(zipped, url) == expected
    assert found(zipped, "http://not.in.the.index/") == []


def test_pywb_reads_a_range_over_members(tmp_path: Path) -> None:
    lines = [
        f"com,a)/{number:05} 2026 http://a.com/{number:05} - - - 9\n" for number in range(9000)
    ]
    (tmp_path / "one.cdx").write_text(" CDX N b a m s k S\n" + "".join(lines[::2]))
    (tmp_path / "two.cdx").write_text(" CDX N b a m s k S\n" + "".join(lines[1::2]))
    result = node_command("cdx", "zipnum", "one.cdx", "two.cdx", "-o", "zipped", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    zipped = ZipNumIndexSource(str(tmp_path / "zipped.idx"))
    assert found(zipped, "http://a.com/", "prefix") == lines
    assert found(zipped, "http://a.com/0300", "prefix") == lines[3000:3010]
