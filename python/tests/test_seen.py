"""The set of URLs in memory."""

import os
import pickle
import threading
from pathlib import Path
from typing import Any

import pytest

from urlmill import Normalizer, OptionError, SeenError, SeenSet, UrlError
from urlmill._saved_set import save_set

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


@pytest.mark.parametrize("bits", [64, 128])
def test_a_batch_is_answered_as_a_set_of_python_would(bits: int, urls: list[str]) -> None:
    n = Normalizer("crawl")
    rows = urls + urls[:1000]
    values, status = n.normalize_batch(rows)
    known: set[str] = set()
    expected = []
    for url, code in zip(values, status, strict=True):
        expected.append(code if url is None else int(url not in known))
        if url is not None:
            known.add(url)
    seen = SeenSet("crawl", bits=bits)
    assert list(seen.add_batch(rows)) == expected
    assert len(seen) == len(known)
    assert seen.capacity >= len(seen)
    again = seen.has_batch(rows)
    assert list(again) == [code if code > 1 else 1 for code in status]
    assert len(seen) == len(known)


def test_answers_come_as_the_kind_of_the_batch() -> None:
    pa, pd = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    rows = ["http://a", None, "x", "HTTP://A/"]
    assert SeenSet().add_batch(rows) == bytes([1, 14, 3, 0])
    assert SeenSet().add_batch(pa.array(rows)).to_pylist() == [1, 14, 3, 0]
    assert SeenSet().add_batch(pa.chunked_array([rows[:1], rows[1:]])).to_pylist() == [1, 14, 3, 0]
    assert list(SeenSet().add_batch(pd.Series(rows))) == [1, 14, 3, 0]


def test_one_url_is_added_once_and_found() -> None:
    seen = SeenSet("crawl")
    assert "http://a/" not in seen
    assert seen.add("http://a/?b&a")
    assert not seen.add("HTTP://A:80/?a&b#c")
    assert "http://a/?a&b" in seen
    assert seen.has("c", base="http://a/") is False
    assert (7 in seen, "nothing" in seen, len(seen)) == (False, False, 1)


def test_one_text_that_is_not_a_url_raises_its_error() -> None:
    seen = SeenSet()
    for method in (seen.add, seen.has):
        with pytest.raises(UrlError) as caught:
            method("http://1.2.3.256/")
        assert (caught.value.code, caught.value.offset) == ("BAD_IPV4", 7)
    assert len(seen) == 0


def test_a_null_is_not_the_base() -> None:
    seen = SeenSet()
    assert seen.add_batch([None, "", "#top"], base="http://a/") == bytes([14, 1, 1])
    assert seen.add_batch([None, ""], base="http://a/") == bytes([14, 0])


def test_room_is_made_at_once() -> None:
    seen = SeenSet(capacity=100_000)
    before = seen.capacity
    assert before >= 100_000
    seen.reserve(300_000)
    assert seen.capacity >= 300_000
    assert (seen.add("http://a/"), len(seen)) == (True, 1)


def test_more_than_memory_has_is_refused_and_the_set_goes_on() -> None:
    seen = SeenSet()
    seen.add("http://a/")
    for count in (1 << 31, 1 << 40):
        with pytest.raises(SeenError, match=r"^SET_FULL: there is no memory for"):
            seen.reserve(count)
    assert "http://a/" in seen


def test_urls_longer_than_a_window_do_not_disturb_the_set() -> None:
    seen = SeenSet()
    rows = [f"http://a/{row}" for row in range(10_000)]
    assert set(seen.add_batch(rows)) == {1}
    assert seen.add("http://a/" + "b" * 900_000)
    assert set(seen.has_batch(rows)) == {1}
    assert seen.add_batch(["http://a/" + "b" * 3_000_000]) == bytes([12])
    assert len(seen) == 10_001


def test_threads_share_a_set(urls: list[str]) -> None:
    seen = SeenSet("crawl")
    answers: list[bytes] = [b""] * 8

    def work(at: int) -> None:
        answers[at] = b"".join(
            seen.add_batch(urls[first : first + 500]) for first in range(0, 10_000, 500)
        )

    threads = [threading.Thread(target=work, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = SeenSet("crawl").add_batch(urls[:10_000])
    assert len(seen) == alone.count(1)
    assert sum(answer.count(1) for answer in answers) == alone.count(1)


def test_keys_tell_sets_apart_and_equal_keys_do_not() -> None:
    assert SeenSet(key=bytes(16)).key == bytes(16)
    assert SeenSet().key != SeenSet().key
    n = Normalizer("crawl")
    assert SeenSet(normalizer=n).normalizer is n


@pytest.mark.parametrize(
    "options",
    [{"bits": 32}, {"key": b"x"}, {"capacity": -1}, {"capacity": "9"}, {"none": 1}],
    ids=str,
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        SeenSet(**options)
    with pytest.raises(OptionError):
        SeenSet("crawl", normalizer=Normalizer())


def test_a_set_is_not_pickled() -> None:
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(SeenSet())


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_is_told_that_the_set_is_not_its_own() -> None:
    seen = SeenSet()
    seen.add("http://a/")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            seen.add("http://b/")
        except SeenError as error:
            code = 0 if error.code == "SEEN_FAILED" else 2
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert len(seen) == 1


@pytest.mark.parametrize("bits", [64, 128])
def test_a_set_that_was_saved_goes_on(bits: int, urls: list[str], tmp_path: Path) -> None:
    seen = SeenSet("crawl", bits=bits, www="remove")
    seen.add_batch(urls[:30_000])
    seen.save(tmp_path / "set")
    loaded = SeenSet.load(tmp_path / "set")
    assert (loaded.key, loaded.bits, len(loaded)) == (seen.key, bits, len(seen))
    assert loaded.normalizer == seen.normalizer
    assert loaded.add_batch(urls) == seen.add_batch(urls)
    assert [each.name for each in tmp_path.iterdir()] == ["set"]
    assert (tmp_path / "set").stat().st_mode & 0o077 == 0


def test_sets_are_saved_to_one_path_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = os.fsync
    others = [SeenSet()]

    def save_another(handle: int) -> None:
        for _ in range(len(others)):
            others.pop().save(tmp_path / "set")
        sync(handle)

    monkeypatch.setattr(os, "fsync", save_another)
    seen = SeenSet()
    seen.add("http://a/")
    seen.save(tmp_path / "set")
    assert len(SeenSet.load(tmp_path / "set")) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["set"]


def test_a_set_that_was_interrupted_as_it_grew_is_saved_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen = SeenSet("crawl")
    store: Any = seen._store
    seen.add_batch([f"http://a/{n}" for n in range(1000)])
    reserve = store._reserve

    def interrupt(count: int) -> None:
        reserve(count)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(store, "_reserve", interrupt)
        seen.reserve(1_000_000)
    seen.save(tmp_path / "set")
    assert len(SeenSet.load(tmp_path / "set")) == len(seen) == 1000


def test_an_empty_set_is_saved_over_another(tmp_path: Path) -> None:
    (tmp_path / "set").write_bytes(b"before")
    SeenSet().save(tmp_path / "set")
    assert len(SeenSet.load(tmp_path / "set")) == 0


def test_a_saved_set_with_any_other_byte_is_refused(tmp_path: Path) -> None:
    seen = SeenSet(key=bytes(16))
    seen.add("http://a/")
    seen.save(tmp_path / "set")
    data = (tmp_path / "set").read_bytes()
    damaged = [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in range(len(data))]
    for bad in [*damaged[::7], damaged[-1], data[:-1], data[:40], b"", data + b"x"]:
        (tmp_path / "set").write_bytes(bad)
        with pytest.raises(SeenError, match="SEEN_CORRUPT"):
            SeenSet.load(tmp_path / "set")


def test_a_saved_set_of_another_release_is_refused(tmp_path: Path) -> None:
    plan = Normalizer().plan
    save_set(tmp_path / "set", b"\xff" + plan[1:], bytes(16), 128, [])
    with pytest.raises(SeenError, match="SEEN_MISMATCH"):
        SeenSet.load(tmp_path / "set")


def test_a_set_says_what_it_is(tmp_path: Path) -> None:
    seen = SeenSet("crawl", www="remove")
    expected = "<SeenSet in memory, 128 bits, Normalizer(preset='crawl', www='remove')"
    assert repr(seen) == f"{expected}>"
    with seen:
        pass
    assert repr(seen) == f"{expected}, closed>"
    with SeenSet.open(tmp_path / "disk", store="disk") as kept:
        assert repr(kept) == "<SeenSet on disk, 80 bits, Normalizer(preset='safe')>"
        with pytest.raises(OptionError, match="save are of sets in memory"):
            kept.save(tmp_path / "set")
