"""Hostile inputs: whatever a text holds, it has a result or an error of its own."""

from random import Random
from typing import Any

import pytest

from urlmill import Normalizer, OptionError, Status, UrlError

n = Normalizer()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://a/\ud800", "http://a/%EF%BF%BD"),
        ("http://a/\udc80x", "http://a/%EF%BF%BDx"),
        ("http://a/\ud83d\ude00", "http://a/%F0%9F%98%80"),
        ("http://a/\ud83d\ud83d\ude00", "http://a/%EF%BF%BD%F0%9F%98%80"),
        ("http://a/\0b", "http://a/%00b"),
        ("http://a/\nb", "http://a/b"),
        ("http://a/b\r", "http://a/b"),
        ("http://a/b\r\n", "http://a/b"),
        ("\nhttp://a/\n\n", "http://a/"),
        ("\ufeffhttp://a/", None),
    ],
)
def test_odd_texts_have_one_result_alone_and_in_a_batch(text: str, expected: str | None) -> None:
    alone = n.try_normalize(text)
    assert alone.url == expected
    for rows in ([text], ["http://x/", text, "http://y/"], [text] * 5000):
        values, status = n.normalize_batch(rows)
        assert [url for url in values if url not in ("http://x/", "http://y/")] == [
            expected for row in rows if row == text
        ]
        assert status[rows.index(text)] == alone.status


def test_bytes_are_read_as_utf8() -> None:
    assert n.normalize(b"HTTP://A/\xc3\xa9") == n.normalize("http://a/\u00e9") == "http://a/%C3%A9"
    assert n.normalize(b"http://a/") == "http://a/"
    assert n.normalize("c", b"http://a/b") == "http://a/c"


def test_an_empty_text_is_empty() -> None:
    assert n.try_normalize("") == (None, Status.EMPTY)
    assert n.normalize_batch(["", "http://a/", ""]).status == bytes([2, 0, 2])
    assert n.normalize("", "http://a/b") == "http://a/b"


@pytest.mark.parametrize("value", [None, 7, object(), ["http://a/"]])
def test_what_is_not_text_has_a_code(value: Any) -> None:
    with pytest.raises(UrlError) as caught:
        n.normalize(value)
    assert (caught.value.code, caught.value.offset) == ("NOT_A_STRING", -1)
    assert n.try_normalize(value) == (None, Status.NOT_A_STRING)


def test_a_bad_base_has_a_code() -> None:
    for base in ("nothing", "", b"\xff", 7):
        with pytest.raises(UrlError, match="BAD_BASE"):
            n.normalize("x", base)  # type: ignore[arg-type]
        with pytest.raises(UrlError, match="BAD_BASE"):
            n.normalize_batch(["x"], base)  # type: ignore[arg-type]
        assert n.try_normalize("x", base) == (None, Status.BAD_BASE)  # type: ignore[arg-type]


def test_no_rule_applies_to_the_base() -> None:
    strict = Normalizer("aggressive")
    assert strict.normalize("x", "http://a/b/") == "https://a/b/x"
    assert strict.normalize("", "http://www.a.com/b?utm_source=1") == "https://a.com/b"


def test_a_text_longer_than_the_limit_is_too_long() -> None:
    with pytest.raises(UrlError) as caught:
        n.normalize("http://a/" + "b" * 5_000_000)
    assert caught.value.code == "TOO_LONG"
    assert len(str(caught.value)) < 400
    long = "http://a/" + "b" * 500_000
    assert n.normalize(long) is long
    assert n.normalize("http://a/%7e") == "http://a/~"


def test_a_text_that_grows_threefold_has_room() -> None:
    text = "http://a/" + "\u65e5" * 100_000
    assert n.normalize(text) == "http://a/" + "%E6%97%A5" * 100_000
    assert n.normalize_batch([text]).values == [n.normalize(text)]


@pytest.mark.parametrize("plan", [b"", b"x" * 100, bytes(44), b"\x03" + bytes(83)])
def test_bytes_that_are_not_a_plan_of_this_release_are_refused(plan: bytes) -> None:
    with pytest.raises(OptionError, match="plan: "):
        Normalizer(plan=plan)


def test_a_damaged_plan_is_refused_and_none_makes_a_call_fail_or_hang() -> None:
    whole = Normalizer("crawl", drop_params=["ref", "a*"], host_aliases={"a.b": "c.d"}).plan
    random = Random(7)
    taken = 0
    for _ in range(300):
        plan = bytearray(whole)
        at = 4 * random.randrange(len(plan) // 4)
        word = random.choice((0, 1, at, len(plan), 0x7FFFFFFF, 0xFFFFFFFF, random.getrandbits(32)))
        plan[at : at + 4] = word.to_bytes(4, "little")
        try:
            damaged = Normalizer(plan=bytes(plan))
        except OptionError as error:
            assert error.code == "BAD_OPTION"
            continue
        damaged.normalize_batch(["http://www.a.b/?ref=1&ab=2&q=3#x", "http://a.b"])
        taken += 1
    assert 0 < taken < 300


def test_a_host_of_many_colons_is_read_once() -> None:
    # What is quadratic takes minutes.
    with pytest.raises(OptionError):
        Normalizer(host_aliases={":1" * 500_000 + "x": "a"})


def test_options_that_do_not_exist_or_fit_are_refused() -> None:
    for options in ({"preset": "none"}, {"drop": 1}, {"fragment": "x"}, {"max_length": 0}):
        with pytest.raises(OptionError) as caught:
            Normalizer(**options)  # type: ignore[arg-type]
        assert caught.value.code == "BAD_OPTION"
    with pytest.raises(OptionError, match="plan: "):
        Normalizer("crawl", plan=n.plan)


def test_options_are_those_of_the_node_package_in_snake_case() -> None:
    made = Normalizer("crawl", drop_params=["ref"], sites={"example.com": {"sort_query": "keep"}})
    assert made.normalize("http://a/?z=1&ref=2&b=3") == "http://a/?b=3&z=1"
    assert made.normalize("http://example.com/?z=1&ref=2&b=3") == "http://example.com/?z=1&b=3"
    assert made.profile_id != Normalizer("crawl").profile_id
