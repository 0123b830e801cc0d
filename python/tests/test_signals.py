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

class Stop(Exception): pass

def after_each_stop(begin, work, look):
    "Stop some work at each step in the kernel's files, and collect what is seen then."
    found, step, has_ended = set(), 0, False
    while not has_ended:
        begun = begin()
        step += 1
        left = step
        def trace(frame, event, argument):
            nonlocal left
            if frame.f_code.co_filename.endswith(("_kernel.py", "_wasm.py")):
                left -= 1
                if left == 0:
                    sys.setprofile(None)
                    raise Stop
        sys.setprofile(trace)
        try:
            work(begun)
            has_ended = True
        except Stop:
            pass
        finally:
            sys.setprofile(None)
        found.add(repr(look(begun)))
    return step, found
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


def test_a_handler_whose_error_ends_a_call_leaves_the_normalizer_usable() -> None:
    program = """
n = Normalizer("crawl")
free = n._kernels.threads.free
def begin():
    free.clear()
    return n.normalize("http://a/")
def look(_):
    rows = n.normalize_batch(["HTTP://A/?b&a", "../c"]).values
    return rows, n.normalize_batch([b"HTTP://A/?b&a", b"../c"], "http://z/x/y/").values
long = "http://a/" + "b" * 300_000
step, found = after_each_stop(begin, lambda _: n.normalize_batch([long], "http://q/r/s/"), look)
print(step > 50, *found)
"""
    assert _run(program) == "True (['http://a/?a&b', None], ['http://a/?a&b', 'http://z/x/c'])"


def test_a_handler_whose_error_ends_a_call_of_a_set_in_its_kernel_leaves_it_usable() -> None:
    program = """
urls, more = ([f"http://{host}/{n}" for n in range(1_000)] for host in "ab")
long = "http://a/" + "b" * 300_000
def look(seen):
    answers = set(seen.has_batch(urls)), set(seen.has_batch(["x", b"../b"]))
    return answers, seen.add(b"../c", "http://z/x/y/"), seen.has("http://z/x/c")
def work(seen):
    seen.add_batch(more)
    seen.add_batch([long], "http://q/r/s/")
def begin():
    seen = SeenSet("crawl")
    seen.add_batch(urls)
    return seen
step, found = after_each_stop(begin, work, look)
print(step > 50, *found)
"""
    assert _run(program) == "True (({1}, {3}), True, True)"
