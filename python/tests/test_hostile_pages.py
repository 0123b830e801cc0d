"""Reading a page, and its header `Link`, takes time by their length: Node's tests have the same shapes."""

import json
import os
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from urlmill._html import parse_html
from urlmill.trust import PageTrust

pytest.importorskip("lxml")

SHAPES: dict[str, list[list[str]]] = json.loads(
    (Path(__file__).parents[2] / "test/fixtures/hostile-pages.json").read_text()
)
IS_LONG = bool(os.environ.get("URLMILL_LONG"))
LENGTH = 1 << (20 if IS_LONG else 18)
TIMES = 8
MOST = 4 * TIMES
"""A linear reader takes 8 times as long for 8 times the text, and a quadratic one 64 times. Caches get too small."""
LEAST = 0.002
STEP = 1 if IS_LONG else 5

URL = "http://a.org/x"
TRUST = PageTrust(
    "#urlmill-rules 1\na.org\t/t ?p\ttrust self #p<N>\na.org\t*\ttrust canonical\na.org\t*\ttrust og\n"
)


def text_of(shape: list[str], length: int) -> str:
    """Return a text of a shape: each second part is repeated, with a number for `{i}`."""
    most = length // (len(shape) // 2)
    return "".join(
        "".join(part.replace("{i}", str(i)) for i in range(most // len(part))) if repeats else part
        for part, repeats in zip(shape, cycle([False, True]), strict=False)
    )


def expect_linear(shape: list[str], read: Callable[[str], Any]) -> None:
    """Expect that a reader takes processor time by the length of its text. Try more than once: others are at work."""
    short, long = text_of(shape, LENGTH // TIMES), text_of(shape, LENGTH)
    ratios = []
    while not ratios or (ratios[-1] > MOST and len(ratios) < 4):
        least = max(LEAST, min(time_of(read, short) for _ in range(2)))
        ratios.append(time_of(read, long) / least)
    assert ratios[-1] <= MOST


def time_of(read: Callable[[str], Any], text: str) -> float:
    begun = time.process_time()
    read(text)
    return time.process_time() - begun


@pytest.mark.parametrize("shape", SHAPES["pages"][::STEP], ids=repr)
def test_a_page_is_read_in_linear_time(shape):
    expect_linear(shape, lambda html: TRUST.same_as(URL, html))


@pytest.mark.parametrize("shape", SHAPES["links"][::STEP], ids=repr)
def test_a_header_is_read_in_linear_time(shape):
    expect_linear(shape, lambda link: TRUST.same_as(URL, "<p>", link))


@pytest.mark.parametrize("shape", SHAPES["pages"], ids=repr)
def test_no_element_has_so_many_attributes_that_they_take_time(shape):
    """lxml takes time by the square of their number, and its versions see different elements."""
    for text in (text_of(shape, 9000), f"{text_of(shape, 900)}<a{text_of(['', ' b{i}=1'], 9000)}>"):
        root = parse_html(text)
        elements = [] if root is None else root.iter("*")
        assert max((len(element.attrib) for element in elements), default=0) <= 256


@pytest.mark.parametrize(
    "begin",
    ["", "<!-- <a -->", "<script>i<n; '<!--</script>", "<a title='>' ", '<p a=="x><a ', '<i ="x>'],
)
def test_an_element_with_very_many_attributes_says_what_it_says_with_few(begin):
    many = " ".join(f"a{i}={'>' if i % 2 else i!r}" for i in range(1000))
    for before, after in ((many, ""), ("", many)):
        page = f"{begin}<a {before} HREF='/t?p=7#p7' id = p7 {after} href=/t?p=8#p7 ID=p8>x</a>"
        assert TRUST.same_as(URL, page) == TRUST.same_as(URL, page.replace(many, "b")), page
        assert TRUST.same_as(URL, f"{page}<i id=p8></i><a href=/t?p=9#p8>")[-1:] == [
            "http://a.org/t?p=9"
        ]


def test_links_within_the_page_do_not_count_as_self_links():
    links = "".join(f"<a href='#p{i}'><a href='/t?p={i}#p1'>" for i in range(1100))
    anchors = "".join(f"<i id=p{i}></i>" for i in range(1100))
    assert len(TRUST.same_as(URL, links + anchors)) == 1000
    page = f"<base href='/{'b' * 9000}/'><a href='/t?p=7#p7' id=p7>"
    assert TRUST.same_as(URL, page) == []
