"""The option ``page_aliases``: files, refusals and what the kernel makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from small_kernel import normalize_urls, small_normalizer

from urlmill import Normalizer
from urlmill._errors import OptionError
from urlmill._options import NormalHost, compile_plan, normal_host_of

HEADER = "#urlmill-aliases 1\n"
ALIASES = f"{HEADER}a.b\t/?p=12\t/2020/news/\tfingerprint\na.b\t/?p=13\t/2020/more/\tsize\n"


@pytest.fixture(scope="module")
def normal_host() -> NormalHost:
    return normal_host_of(small_normalizer(compile_plan({}, lambda host: host)))


def refusal(options: Mapping[str, object], normal_host: NormalHost) -> OptionError:
    with pytest.raises(OptionError) as raised:
        compile_plan(options, normal_host, normalize_urls)
    return raised.value


def test_aliases_are_applied_as_far_as_their_evidence_goes() -> None:
    urls = ["http://A.b/?p=12#x", "http://a.b/?p=13", "http://a.b/?p=1", "http://c.d/?p=12"]
    normalized = Normalizer(page_aliases=ALIASES).normalize_batch(urls)
    assert normalized.values == ["http://a.b/2020/news/#x", *urls[1:]]
    accepted = Normalizer(page_aliases=ALIASES, accept="size").normalize_batch(urls)
    assert accepted.values[1] == "http://a.b/2020/more/"


def test_aliases_are_found_under_options_that_write_their_urls_in_another_form() -> None:
    n = Normalizer("aggressive", page_aliases=f"{HEADER}www.a.b\t/x/?b&a\t/y/\n")
    assert n.normalize("http://www.a.b/x/?b&a") == "https://a.b/y"


def test_a_range_is_for_all_urls_whose_last_number_is_in_it() -> None:
    n = Normalizer("crawl", page_aliases=f"{HEADER}a.b\t/t?p=<7..12>\t/topic/\n")
    urls = [f"http://a.b/t?p={number}" for number in ("6", "7", "9", "12", "13", "09")]
    topic = "http://a.b/topic/"
    assert n.normalize_batch(urls).values == [urls[0], topic, topic, topic, *urls[4:]]


def test_an_alias_can_be_for_any_other_parameters(normal_host: NormalHost) -> None:
    lines = "a.b\t/w?<*>\t/w?old\na.b\t/s?id=1&<*>\t/one\nwww.a.b\t/S?id=2&<*>\t/two\n"
    n = Normalizer("aggressive", case="lower-path", page_aliases=HEADER + lines)
    urls = ["w", "w?x", "w?old", "s?y&id=1", "s?id=1", "s?id=1&id=2", "s?id=12", "s?z&id=2"]
    w, one, two = "https://a.b/w?old=", "https://a.b/one", "https://a.b/two"
    both, other = "https://a.b/s?id=1&id=2", "https://a.b/s?id=12"
    assert n.normalize_batch([f"http://a.b/{url}" for url in urls]).values == [
        *(w, w, w, one, one, both, other, two)
    ]
    message = refusal(
        {"page_aliases": f"{HEADER}a.b\t/w?<*>\t/y\na.b\t/z\t/w\n"}, normal_host
    ).message
    assert "the target /w is itself an alias, in line 2" in message
    message = refusal({"page_aliases": f"{HEADER}a.b\t/w?a&b&<*>\t/y\n"}, normal_host).message
    assert "a range such as <12..34> is the last number of /w?a&b&<*>" in message


def test_aliases_are_read_from_files(tmp_path: Path, normal_host: NormalHost) -> None:
    files = [tmp_path / "a.tsv", tmp_path / "b.tsv"]
    files[0].write_bytes(b"\xef\xbb\xbf" + ALIASES.encode())
    files[1].write_text(f"{HEADER}c.d\t/x\t/y\n")
    one = compile_plan({"page_aliases": ALIASES}, normal_host, normalize_urls)
    assert compile_plan({"page_aliases": files[0]}, normal_host, normalize_urls) == one
    both = compile_plan({"page_aliases": f"{ALIASES}c.d\t/x\t/y\n"}, normal_host, normalize_urls)
    assert compile_plan({"page_aliases": files}, normal_host, normalize_urls) == both
    with pytest.raises(FileNotFoundError):
        compile_plan({"page_aliases": tmp_path / "none"}, normal_host, normalize_urls)


def test_a_wrong_alias_is_named_by_file_and_line(tmp_path: Path, normal_host: NormalHost) -> None:
    files = [tmp_path / "a.tsv", tmp_path / "b.tsv"]
    files[0].write_text(f"{HEADER}a.b\t/x\t/y\n")
    files[1].write_text(f"{HEADER}\na.b\t/x\t/z\n")
    error = refusal({"page_aliases": files}, normal_host)
    assert error.code == "BAD_RULES"
    known = f"/x is already in line 2 of {files[0]}; keep one of the two lines"
    assert error.message == f"line 3 of {files[1]}: {known}"
    files[1].write_text(f"{HEADER}a.b\t/y\t/z\n")
    chain = f"the target /y is itself an alias, in line 2 of {files[1]}"
    message = refusal({"page_aliases": files}, normal_host).message
    assert message.startswith(f"line 2 of {files[0]}: {chain}")
    files[0].write_text(f"{HEADER}a.b\t/<1..9>\t/x\n")
    files[1].write_text(f"{HEADER}a.b\t/<9..12>\t/x\n")
    message = refusal({"page_aliases": files}, normal_host).message
    overlap = f"/<9..12> has a URL of line 2 of {files[0]}; keep each URL in one line"
    assert message == f"line 2 of {files[1]}: {overlap}"


@pytest.mark.parametrize(
    ("page_aliases", "message"),
    [
        (1, "option page_aliases cannot be 1: expected the text of a file of aliases, or paths"),
        ("", 'line 1 of the aliases: a file of aliases begins with the line "#urlmill-aliases 1"'),
        ("#urlmill-aliases 2", "line 1 of the aliases: "),
        (f"{HEADER}a.b\t/x", "line 2 of the aliases: an alias is site, URL, target"),
        (f"{HEADER}a.b\t/x\t/y\n\ufeffa.b\t/z\t/y", "line 3 of the aliases: it begins with a byte"),
    ],
)
def test_what_is_not_a_file_of_aliases_is_refused(
    page_aliases: object, message: str, normal_host: NormalHost
) -> None:
    assert message in refusal({"page_aliases": page_aliases}, normal_host).message
