"""Signal handlers that come in at any place of a call."""

import os
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "SIGUSR1"), reason="the system has no signals to send"
)

_PROGRAM = """
import signal, sys
from urlmill import Normalizer, SeenError, SeenSet

def at_each_call(work, handler):
    "Do some work, with a signal the first time that it enters or leaves each function."
    places = set()
    def trace(frame, event, argument):
        place = (frame.f_code, frame.f_lineno, event)
        if place not in places:
            places.add(place)
            signal.raise_signal(signal.SIGUSR1)
    signal.signal(signal.SIGUSR1, lambda *_: handler())
    sys.setprofile(trace)
    try:
        return work()
    finally:
        sys.setprofile(None)
"""


def _run(program: str) -> str:
    """Run a program in a process of its own, because one that waits for itself would never end."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM + program],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stderr == ""
    return done.stdout.strip()


@pytest.mark.parametrize("bits", [128, 64])
def test_a_handler_that_uses_a_set_during_a_call_gets_an_error(bits: int) -> None:
    program = f"""
seen = SeenSet("crawl", bits={bits})
urls = [f"http://a/{{n}}" for n in range(100)] + ["nothing"]
uses = [lambda: seen.add("http://b/"), lambda: seen.has("http://b/"), lambda: "http://b/" in seen,
    lambda: seen.add_batch(urls[:3]), lambda: seen.reserve(9), lambda: len(seen), lambda: seen.capacity]
errors = set()
served = 0
def handle():
    global served
    for use in uses:
        try:
            use()
            served += 1
        except SeenError as error:
            errors.add(error.code)
first = at_each_call(lambda: seen.add_batch(urls), handle)
again = at_each_call(lambda: seen.add_batch(urls), handle)
for use in uses:
    at_each_call(use, handle)
print(set(first[3:-1]), set(again[:-1]), first[-1], again[-1], errors, served > 0, len(seen))
"""
    assert _run(program) == "{1} {0} 3 3 {'SEEN_FAILED'} True 101"


def test_a_handler_whose_error_ends_a_call_leaves_the_set_usable() -> None:
    program = """
seen = SeenSet("crawl")
urls = [f"http://a/{n}" for n in range(100)]
class Stop(Exception): pass
for calls in range(1, 400):
    left = calls
    def handle():
        global left
        left -= 1
        if left == 0:
            raise Stop
    try:
        at_each_call(lambda: seen.add_batch(urls), handle)
        break
    except Stop:
        assert seen.has_batch(urls) in (bytes(100), bytes([1]) * 100)
print(calls > 20, len(seen), seen.add("http://b/"), seen.add("http://b/"))
"""
    assert _run(program) == "True 100 True False"


def test_a_handler_may_make_the_first_normalizer_while_one_is_made() -> None:
    program = """
results = set()
def handle():
    results.add(Normalizer("crawl").normalize("HTTP://Other/?b&a"))
n = at_each_call(lambda: Normalizer("crawl", www="remove"), handle)
results.add(at_each_call(lambda: n.normalize("http://www.Other.com/?b&a"), handle))
print(sorted(results))
"""
    assert _run(program) == "['http://other.com/?a&b', 'http://other/?a&b']"
