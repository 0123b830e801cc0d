"""The names of the steps that change a URL: those that `urlmill explain` shows."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from urlmill import Normalizer, UrlError

SOME = [
    "HTTP://www.A:80/./b/../%7ec?utm_source=x&b=2&a=1#top",
    "http://a/",
    "http://a",
    " http://a/\t",
    "http://a/b;jsessionid=1?",
    "http://1.2.3",
    "HTTP://[::0001]/",
    "http://a/ü?ü#ü",
]


@pytest.mark.parametrize("preset", ["safe", "crawl", "aggressive"])
def test_steps_are_those_of_explain(
    preset: Any, some_urls: list[str], node: Callable[..., bytes]
) -> None:
    urls = [url for url in SOME + some_urls[:400] if Normalizer(preset).try_normalize(url)]
    written = node("dist/cli/main.js", "explain", "--json", "--preset", preset, "--", *urls)
    explained = [json.loads(line)["steps"] for line in written.splitlines()]
    told = [Normalizer(preset).changes(url) for url in urls]
    expected = [{step["step"] for step in steps} for steps in explained]
    assert [None if steps is None else set(steps) for steps in told] == [
        None if steps is None else names for steps, names in zip(told, expected, strict=True)
    ]
    assert sum(steps is None for steps in told) < len(told) / 20


def test_a_url_in_normal_form_is_changed_by_nothing() -> None:
    assert Normalizer().changes("http://a/") == ()
    assert Normalizer().changes("b", "http://a/") == ("base",)


@pytest.mark.parametrize("url", ["nothing", 1, None])
def test_what_is_not_a_url_is_an_error(url: Any) -> None:
    with pytest.raises(UrlError):
        Normalizer().changes(url)
