"""Which URLs a page says it is."""

import json
import random
import shutil
import subprocess
from datetime import date, timedelta
from pathlib import Path

import pytest

from urlmill import Normalizer, OptionError, UrlError
from urlmill.trust import PageTrust, SkipFilter

HEADER = "#urlmill-rules 1\n"
RULES = (
    f"{HEADER}a.org\t*\tdrop sid\n"
    "a.org\t/t ?p\ttrust self #p<N>\tfingerprint n=12 ok=12 lb=.7575\n"
    "a.org\t/*/ ?c\ttrust self #c\na.org\t/news/ ?c\tdistrust self #c\n"
    "a.org\t/*/*/x.php\ttrust self #<H>\na.org\t/T ?p\ttrust self #p<N> from 2\n"
    "a.org\t/print/...\tnoindex\tdeclared n=12 ok=12 lb=.7575\na.org\t* ?y\texhausted 2026-11-28\n"
    "a.org\t*\ttrust canonical\na.org\t*\ttrust og\na.org\t*\ttrust hreflang\na.org\t*\ttrust contentLocation\n"
)


def test_lines_of_trust_change_no_plan():
    rules = f"{HEADER}a.org\t*\tdrop sid\n"
    assert Normalizer(rules=RULES).plan == Normalizer(rules=rules).plan


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a.org\t*\ttrust canonicle", '"trust canonicle" is not trust in canonical, shortlink'),
        ("a.org\tt?p\ttrust self #p", '"t?p" is not a shape'),
        ("A.org\t*\ttrust og", '"A.org" is not a host of a normalized URL'),
        ("a.org\t/t\ttrust self #p from 0", '"trust self #p from 0" is not trust in canonical'),
        ("a.org\t*\ttrust og\tsure", '"sure" is not evidence'),
        (
            "a.org\t*\tnoindex 2026-11-28",
            '"noindex 2026-11-28" is not noindex, or exhausted and a day',
        ),
        ("a.org\t*\texhausted", '"exhausted" is not noindex, or exhausted and a day'),
        ("a.org\t*\texhausted 2026-13-01", '"exhausted 2026-13-01" is not noindex, or exhausted'),
        ("A.org\t*\tnoindex", '"A.org" is not a host of a normalized URL'),
        (
            "a.org\t/a ?b ?c\tnoindex",
            'the condition "/a ?b ?c" has more than a path and parameters',
        ),
        ("a.org\t*\tnoindex\tsure", '"sure" is not evidence'),
        ("a.org\t*\tnoindex\tdeclared n=1 ok=1 lb=1\tx", '"noindex" is not noindex, or exhausted'),
    ],
)
def test_a_line_that_is_wrong_is_refused(line, message):
    def skips(rules):
        return SkipFilter(rules, [])

    for read in (PageTrust, skips, lambda rules: Normalizer(rules=rules)):
        with pytest.raises(OptionError) as error:
            read(f"{HEADER}{line}\n")
        assert str(error.value).startswith(f"BAD_RULES: line 2 of the rules: {message}")


DAY = date(2026, 11, 28)
SKIPS = (
    f"{HEADER}a.org\t*\tdrop sid\na.org\t/print/...\tnoindex\na.org\t/w ?action=edit\tnoindex\n"
    f"a.org:8080\t*\tnoindex\na.org\t/cal/...\texhausted {DAY}\na.org\t/cal/x\tnoindex\n"
    "noindex.urlmill.invalid\t*\texhausted 2026-11-28\n"
)


def test_urls_to_skip_are_those_of_a_site_whose_condition_is_met(tmp_path):
    path = Path(tmp_path, "rules.tsv")
    path.write_text(SKIPS)
    skips = SkipFilter(path, ["noindex"])
    for url in (
        "http://a.org/print/7",
        "https://a.org/print/",
        "http://u@a.org/w?x&action=edit",
        "http://a.org:8080/",
        "http://a.org/cal/x",
    ):
        assert skips.why(url) == "noindex"
        assert SkipFilter(SKIPS, []).why(url) is None
    for url in (
        "http://a.org/printer",
        "http://a.org/w?action=editor",
        "http://a.org/t?sid=1",
        "http://b.org/print/7",
        "http://a.org/cal/7",
        "http://noindex.urlmill.invalid/",
        "mailto:a.org/print/7",
        "not a url",
        "",
    ):
        assert skips.why(url) is None


def test_one_url_in_twenty_of_an_exhausted_pattern_passes_as_in_node():
    skips = SkipFilter(SKIPS, ["exhausted", "noindex"], today=DAY)
    passing = [n for n in range(4000) if skips.why(f"http://a.org/cal/{n}") is None]
    # test/rules/skip-lines.test.ts has the same ones.
    assert passing[:3] == [20, 59, 68]
    assert 140 < len(passing) < 260
    assert skips.why("http://a.org/cal/x") == "noindex"


def test_an_exhausted_pattern_counts_for_some_days():
    def why(days_later, **options):
        today = DAY + timedelta(days_later)
        return SkipFilter(SKIPS, ["exhausted"], today=today, **options).why("http://a.org/cal/1")

    assert [why(0), why(7), why(8), why(8, days=8), why(1, days=0)] == [
        "exhausted",
        "exhausted",
        None,
        "exhausted",
        None,
    ]


def test_a_reason_that_does_not_exist_is_refused():
    with pytest.raises(OptionError, match='"nofollow" is not a reason'):
        SkipFilter(SKIPS, ["nofollow"])


def test_statements_and_the_option_that_switches_them_off(tmp_path):
    path = Path(tmp_path, "rules.tsv")
    path.write_text(RULES)
    said = {"canonical": "/a?sid=1", "shortlink": "/b", "self": ["/t?p=7#p7", "//b.org/t?p=7#p7"]}
    assert PageTrust(path).same_as("http://a.org/x", said) == [
        "http://a.org/a?sid=1",
        "http://a.org/t?p=7",
    ]
    others = {"contentLocation": "/c", "hreflang": "/en", "shortlink": "/s"}
    assert PageTrust(RULES).same_as("http://a.org/x", others) == [
        "http://a.org/c",
        "http://a.org/en",
    ]
    assert PageTrust(RULES, trust=False).same_as("http://a.org/x", said) == []
    assert PageTrust(RULES).same_as("http://b.org/x", said) == []
    with pytest.raises(UrlError, match=r"^NO_SCHEME"):
        PageTrust(RULES).same_as("x", said)


def test_pages_of_fewer_urls_than_a_line_asks_for_are_not_believed():
    trust = PageTrust(RULES)
    links = ["/T?p=1#p1", "/T?p=1#p2", "/T?p=2#p1"]
    assert trust.same_as("http://a.org/x", {"self": links[:2]}) == []
    assert trust.same_as("http://a.org/T?p=2", {"self": links}) == []
    both = ["http://a.org/T?p=1", "http://a.org/T?p=2"]
    assert trust.same_as("http://a.org/x", {"self": links}) == both


def made_up_page(draw: random.Random) -> str:
    """HTML with statements of many kinds, well formed."""
    head = [
        '<link rel="canonical" href="/t?p=1">',
        "<link rel='Shortlink Canonical' href='c?x'>",
        "<link rel=canonical href='http://b.org/'>",
        '<link rel="x Alternate" hreflang="EN-gb" href="/en">',
        '<link rel="alternate" hreflang="de" href="/de">',
        '<link a=">" rel="alternate" hreflang="de" href="/odd">',
        '<link rel="alternate" hreflang="" href="/none">',
        '<meta property="og:url" content=" /og?b=1&amp;a=2 ">',
        '<meta property="og:URL" content="">',
        '<base href="/deep/">',
        "<title>&lt;link rel=canonical href=/x&gt;</title>",
    ]
    paths = [
        "/t?p=7",
        "t?p=8",
        "/a/?c=2",
        "/news/?c=2",
        "/t?p=1&q=2",
        "",
        "//b.org/t?p=7",
        "/a/b/x.php",
        "/t?p=%41&amp;p=2",
        "mailto:x",
        "/a b/?c",
        "/T?p=7",
        "/T?p=8",
        "/%c3%a9/?c",
    ]
    ends = ["p7", "p8", "c", "0123456789abcdef0", "caf%C3%A9", "P7", "", "x y"]
    body = []
    for _ in range(draw.randrange(12)):
        end = draw.choice(ends)
        body.append(f"<a href='{draw.choice(paths)}#{end}'>x</a>")
        if draw.random() < 0.7:
            body.append(draw.choice([f"<p id='{end}'>x</p>", f"<a name='{end}'>x</a>", "<p>y</p>"]))
    body.append("<p id='café'>x</p><!-- <a href='/t?p=9#p7'> -->")
    links = "".join(draw.sample(head, draw.randrange(len(head))))
    lang = draw.choice(["", " lang=''", " lang='en-GB'", " lang=DE", " ⚡ lang=en-gb"])
    return f"<!doctype html><html{lang}><head>{links}</head><body>{''.join(body)}{head[0]}</body></html>"


@pytest.mark.parametrize(
    ("html", "link"),
    [
        ('<html ⚡ lang="en">', '<link rel="alternate" hreflang="en" href="/en">'),
        ('<html lang="en">', '<link a=">" rel="alternate" hreflang="en" href="/en">'),
    ],
)
def test_the_language_of_a_tag_that_is_written_oddly_is_read(html, link):
    pytest.importorskip("lxml")
    page = f"{html}<head>{link}</head><body>"
    assert PageTrust(RULES).same_as("http://a.org/x", page) == ["http://a.org/en"]


PARTS = (
    "<link rel=canonical href=/c>|<meta property=og:url content=/o>|<html>|<head>|</head>|<body>|</body>|</html>|<p>|"
    "</p>|</br>|<br/>|x|&#32;|&nbsp;|\n|<|<TITLE>t</TITLE>|<title>|</title>|<script>x</script>|<style>y</style>|"
    "<noscript>|</noscript>|<template>|</template>|<noframes>|</noframes>|<base href=/b/>|<meta>|<!-- x -->|"
    "<!doctype html>|<article>|<svg>|</svg>|<my-x>|<textarea>|</textarea>|</ x>|<?x?>|\ufeff|<bgsound>"
)


def made_up_head(draw: random.Random) -> str:
    """HTML of which the head ends anywhere."""
    return "".join(draw.choices(PARTS.split("|"), k=draw.randrange(2, 9)))


@pytest.mark.parametrize(
    "start",
    [
        "<head><title>t</title></head><p>comment ",
        "<!doctype html><title>t</title><article>comment ",
        "<title>t</title><my-element>",
        "<title>t</title>comment ",
        "<svg></svg>",
        "</body>",
    ],
)
def test_a_tag_after_the_head_is_not_believed(start):
    pytest.importorskip("lxml")
    link = '<link rel="canonical" href="/forged">'
    assert PageTrust(RULES).same_as("http://a.org/x", start + link) == []
    assert PageTrust(RULES).same_as("http://a.org/x", link + start) == ["http://a.org/forged"]


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node")
def test_pages_say_the_same_in_node():
    pytest.importorskip("lxml")
    draw = random.Random(38)
    pages = [
        (
            draw.choice(["http://a.org/x/y?z", "https://a.org/t?p=7", "http://u@A.org:80/t"]),
            page,
            link,
        )
        for page, link in (
            (
                made_up_page(draw),
                draw.choice(
                    ["", "</h>; rel=canonical", "</g>; rel=og", '<x>; a="b"; rel="x Canonical"']
                ),
            )
            for _ in range(1000)
        )
    ]
    pages += [("http://a.org/x", made_up_head(draw), "") for _ in range(2000)]
    pages += [("http://a.org/", "", ""), ("http://a.org/", " ", "</h>; rel=canonical")]
    program = Path(__file__).with_name("write_same_as.mjs")
    given = json.dumps({"rules": RULES, "pages": pages})
    done = subprocess.run(
        ["node", program], input=given, capture_output=True, text=True, check=True
    )
    trust = PageTrust(RULES)
    ours = [trust.same_as(*page) for page in pages]
    assert sum(map(len, ours)) > 1000
    for page, own, node in zip(pages, ours, json.loads(done.stdout), strict=True):
        assert own == node, page
