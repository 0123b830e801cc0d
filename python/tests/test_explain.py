"""Explanations: the steps, and the URLs between them, are those of Node."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from test_plan_bytes import in_snake_case

from urlmill import Explanation, Normalizer, UrlError

PRESETS: list[Any] = ["safe", "crawl", "c14n", "aggressive"]
SOME = [
    "HTTP://www.A:80/./b/../%7ec?utm_source=x&b=2&a=1#top",
    "http://www.www.a.org./x//index.html/default.asp",
    "http://a",
    " http://a/\t",
    "http://a/b;jsessionid=1/(S(x))/?CFID=1&CFTOKEN=2&x=1;jsessionid=3&x=2#utm_a=1",
    "http://a/?&&=&a&a=&A=1&a=2&sid=1",
    "http://a/?utm_source=x&&gclid=1",
    "http://a/?",
    "http://a/?utm_source=x;jsessionid=1;page=2&sid=1;page=3&a;b=1&a=1;a=2;c=3#utm_a=1;b=2",
    "http://a/?utm_a=1;CFID=2&a&a=&b=1;x=2&CFTOKEN=3;a=4;d=;jsessionid=5&x=1;a=5;A",
    "http://1.2.3",
    "HTTP://[::0001]:0080/",
    "http://u:@%41\u00fc\u3002org:/\u00fc?\u00fc#\u00fc'",
    "http:\\\\a\\b\\..\\c%2e%2e%5c%2fd%%341",
    "http:/a//b",
    "file:///C|/a/../..",
    "file:a b",
    "file:a/b",
    "FILE:a%40b@c\\d",
    "file:C|/x",
    "file:/x/../c|/%%341",
    "file://C:/a",
    "http://a/%%341?%4%31#%%34%31",
    "http://a/?CFID=1&CFTOKEN=2;utm_a=1;CFID=3&b",
    "FTP://a:21/%zz",
    "mailto:A b@c?d e",
    "foo://u@B/a/./b?c'd",
    "foo:/.//a",
    "foo:/a/..//b",
    "//a/b",
    "a.b:80/c",
    "\ufeffhttp://a/",
]
OPTIONS: list[dict[str, Any]] = [
    {"defaultScheme": "https", "case": "lower-path-query", "paramCase": "ignore"},
    {"case": "lower-path", "trailingSlash": "add", "www": "add", "explicitPort": "remove"},
    {
        "keepParams": ["a", "x*"],
        "defaultParams": {"a": "", "x": "1"},
        "valuelessParams": "add-equals",
    },
    {"defaultParams": {"a": ""}, "emptyValues": "remove", "repeatedParams": "last"},
    {"emptyValues": "remove", "valuelessParams": "add-equals", "repeatedParams": "first"},
    {
        "sessionIds": "remove",
        "defaultParams": {"x": "1"},
        "valuelessParams": "add-equals",
        "repeatedParams": "last",
        "case": "lower-path-query",
    },
    {"dropParams": ["b", "*d"], "sortQuery": "name-value", "fragment": "keep-route"},
    {"hostAliases": {"a": "www.b.org", "b.org": "c"}, "www": "remove", "scheme": "https"},
    {"preset": "crawl", "sites": {"a": {"preset": "safe", "directoryIndex": True}}},
    {"preset": "crawl", "allowedSchemes": ["http", "ftp"], "wwwDigits": True, "www": "remove"},
]


Node = Callable[..., bytes]


def explained_by_node(node: Node, options: Any, urls: list[str], base: str | None = None) -> Any:
    call = {"options": options, "urls": urls} | ({} if base is None else {"base": base})
    written = node("python/tests/write_explanations.mjs", data=json.dumps(call).encode())
    return [json.loads(line) for line in written.splitlines()]


def shown(explanation: Explanation) -> Any:
    return {
        **explanation._asdict(),
        "steps": [step._asdict() for step in explanation.steps],
    }


@pytest.mark.parametrize("options", [{"preset": preset} for preset in PRESETS] + OPTIONS, ids=str)
def test_steps_are_those_of_node(options: Any, urls: list[str], node: Node) -> None:
    given = SOME + urls[::50]
    n = Normalizer(**in_snake_case(options))
    expected = explained_by_node(node, options, given)
    for url, wanted in zip(given, expected, strict=True):
        assert shown(n.explain(url)) == wanted, url


@pytest.mark.parametrize("base", ["http://a/b/c?d#e", "file:///C:/x/y", "foo://a/b"])
def test_references_are_explained_as_in_node(base: str, node: Node) -> None:
    given = [*SOME, "../x", "?y", "#z", "//b/./c", "", "http:d", "\\x"]
    n = Normalizer("crawl", allowed_schemes=["http", "file", "foo"])
    options = {"preset": "crawl", "allowedSchemes": ["http", "file", "foo"]}
    expected = explained_by_node(node, options, given, base)
    for url, wanted in zip(given, expected, strict=True):
        assert shown(n.explain(url, base)) == wanted, url


def test_vectors_of_the_platform_tests_are_explained_as_in_node(
    fixture_json: Callable[[str], Any], node: Node
) -> None:
    cases = [case for case in fixture_json("wpt/urltestdata.json") if isinstance(case, dict)]
    given = [case["input"] for case in cases]
    expected = explained_by_node(node, {"preset": "aggressive"}, given)
    n = Normalizer("aggressive")
    for url, wanted in zip(given, expected, strict=True):
        assert shown(n.explain(url)) == wanted, url


def test_aliases_of_hosts_in_a_chain_are_one_step(node: Node) -> None:
    options = {"hostAliases": {"a": "b", "b": "c"}}
    (wanted,) = explained_by_node(node, options, ["http://a/"])
    assert [step["after"] for step in wanted["steps"]] == ["http://b/", "http://c/"]
    steps = Normalizer(host_aliases={"a": "b", "b": "c"}).explain("http://a/").steps
    assert [(step.step, step.after) for step in steps] == [("hostAliases", "http://c/")]


def test_rules_of_a_site_are_one_step_and_its_aliases_another() -> None:
    rules = "#urlmill-rules 1\na.org\t*\tdrop x\na.org\t*\tdrop y\n"
    aliases = "#urlmill-aliases 1\na.org\t/p\t/q\n"
    n = Normalizer(rules=rules, page_aliases=aliases)
    explanation = n.explain("HTTP://a.org/p?x=1&y=2")
    assert [(step.step, step.after) for step in explanation.steps] == [
        ("schemeCase", "http://a.org/p?x=1&y=2"),
        ("rules", "http://a.org/p"),
        ("pageAliases", "http://a.org/q"),
    ]
    assert explanation.url == n.normalize("HTTP://a.org/p?x=1&y=2")


def test_a_plan_is_explained_as_its_options_are() -> None:
    n = Normalizer("crawl", default_scheme="https")
    assert Normalizer(plan=n.plan).explain("a.org/?sid=1") == n.explain("a.org/?sid=1")


def test_a_plan_with_rules_of_lists_is_read_and_explained() -> None:
    # Such a plan has a version of its own.
    rules = "#urlmill-rules 1\n*.a.org\t*\tdrop utm_<*>\n"
    n = Normalizer(rules=rules)
    read = Normalizer(plan=n.plan)
    assert read.normalize("http://b.a.org/?utm_x=1&c") == "http://b.a.org/?c"
    assert read.explain("http://b.a.org/?utm_x=1&c") == n.explain("http://b.a.org/?utm_x=1&c")
    assert [each.step for each in n.explain("http://b.a.org/?utm_x=1&c").steps] == ["rules"]


@pytest.mark.parametrize("url", ["nothing", 1, None, "http://a:b/"])
def test_what_is_not_a_url_is_explained_by_its_error(url: Any) -> None:
    n = Normalizer()
    with pytest.raises(UrlError) as caught:
        n.normalize(url)
    explanation = n.explain(url)
    assert (explanation.url, explanation.error, explanation.steps) == (None, caught.value.code, ())
    assert explanation.offset == caught.value.offset


def test_a_bad_base_is_an_error() -> None:
    with pytest.raises(UrlError, match="BAD_BASE"):
        Normalizer().explain("a", "b")


def test_each_url_that_is_shown_is_the_same_one(urls: list[str]) -> None:
    for options in [{"preset": preset} for preset in PRESETS] + OPTIONS:
        n = Normalizer(**in_snake_case(options))
        for url in SOME + urls[::200]:
            explained = n.explain(url)
            for step in explained.steps:
                assert n.try_normalize(step.after).url == explained.url, (options, url, step)


@pytest.mark.parametrize("base", ["http://a/b/c?d#e", "file:///C:/x/y", "foo://a/b"])
def test_each_url_that_is_shown_is_the_same_one_with_a_base(base: str) -> None:
    n = Normalizer("crawl", allowed_schemes=["http", "file", "foo"])
    for url in SOME:
        explained = n.explain(url, base)
        for step in explained.steps:
            assert n.try_normalize(step.after, base).url == explained.url, (url, step)
