"""Threads, forks, pickles and memory."""

import copy
import gc
import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType

import pytest

from urlmill import KernelError, Normalizer, OptionError, Status, UrlError
from urlmill._kernel import Kernel

SRC = Path(__file__).parents[1] / "src"
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


def test_eight_threads_share_a_normalizer(urls: list[str]) -> None:
    n = Normalizer("crawl")
    expected = n.normalize_batch(urls[:5000])
    with ThreadPoolExecutor(8) as threads:
        for result in threads.map(lambda _: n.normalize_batch(urls[:5000]), range(32)):
            assert result == expected
        alone = threads.map(lambda url: n.try_normalize(url).url, urls[:2000])
        assert list(alone) == expected.values[:2000]


def test_threads_that_ask_for_the_key_at_once_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    random = os.urandom

    def slow(count: int) -> bytes:
        time.sleep(0.02)
        return random(count)

    monkeypatch.setattr(os, "urandom", slow)
    n = Normalizer()
    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(lambda _: n.fingerprint_key, range(4)))) == 1


def test_a_kernel_refuses_another_thread() -> None:
    kernel = Kernel(Normalizer().plan)
    errors: list[BaseException] = []

    def use() -> None:
        try:
            kernel.normalize(b"http://a/")
        except KernelError as error:
            errors.append(error)

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert [getattr(error, "code", "") for error in errors] == ["ENGINE_FAILED"]
    assert "another thread" in str(errors[0])
    assert kernel.normalize(b"http://a/") == 0


def test_other_threads_run_while_a_long_url_is_normalized(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(Normalizer("crawl").plan)
    released = kernel._normalize_column
    calls: list[int] = []
    monkeypatch.setattr(
        kernel, "_normalize_column", lambda rows: calls.append(rows) or released(rows)
    )
    assert kernel.normalize(b"http://a/b") == Status.UNCHANGED
    assert calls == []
    long = b"HTTP://a/" + b"b" * 5000
    assert (kernel.normalize(long), kernel.url()) == (
        Status.CHANGED,
        long.decode().replace("HTTP", "http"),
    )
    assert calls == [1]


def test_kernels_of_threads_that_ended_are_freed() -> None:
    n = Normalizer()
    before = len(Path("/proc/self/maps").read_text().splitlines()) if sys.platform == "linux" else 0
    for _ in range(50):
        thread = threading.Thread(target=n.normalize, args=("http://a/",))
        thread.start()
        thread.join()
    gc.collect()
    if sys.platform == "linux":
        assert len(Path("/proc/self/maps").read_text().splitlines()) < before + 100


def test_a_signal_handler_may_normalize_while_a_call_runs(urls: list[str]) -> None:
    n = Normalizer("crawl")
    expected = n.normalize_batch(urls)
    handled: list[str] = []

    def handle(_: int, __: FrameType | None) -> None:
        handled.append(n.normalize("HTTP://Other/?b&a"))

    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        for _ in range(5):
            assert n.normalize_batch(urls) == expected
        for url in urls[:2000]:
            n.try_normalize(url)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert set(handled) == {"http://other/?a&b"}


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_processes_go_on_with_the_normalizer(urls: list[str]) -> None:
    n = Normalizer("crawl")
    expected = n.normalize_batch(urls[:2000])
    for _ in range(4):
        child = os.fork()
        if child == 0:
            os._exit(0 if n.normalize_batch(urls[:2000]) == expected else 1)
        assert os.waitpid(child, 0)[1] == 0
    assert n.normalize_batch(urls[:2000]) == expected


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_the_key_that_nobody_asked_for_before_it() -> None:
    n = Normalizer()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, n.fingerprint_key)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert os.read(reader, 100) == n.fingerprint_key


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_pool_of_forked_workers_normalizes(urls: list[str]) -> None:
    n = Normalizer("crawl")
    expected = [n.try_normalize(url).url for url in urls[:200]]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_url_of, [(n, url) for url in urls[:200]]) == expected


def _url_of(pair: tuple[Normalizer, str]) -> str | None:
    n, url = pair
    return n.try_normalize(url).url


def test_a_pickle_keeps_options_plan_and_key() -> None:
    n = Normalizer("crawl", drop_params=["ref"])
    key = n.fingerprint_batch(["http://a/"]).fingerprints
    for other in (pickle.loads(pickle.dumps(n)), copy.copy(n), copy.deepcopy(n)):
        assert (other.plan, other.preset, other.options) == (n.plan, n.preset, n.options)
        assert other.profile_id == n.profile_id
        assert other.fingerprint_batch(["http://a/"]).fingerprints == key
        assert other.normalize("http://a/?ref=1") == "http://a/"


def test_a_pickle_of_another_plan_version_is_refused() -> None:
    n = Normalizer("crawl")
    stale = pickle.dumps(n).replace(n.plan, b"\x63" + n.plan[1:])
    with pytest.raises(OptionError, match="version 99"):
        pickle.loads(stale)


def test_errors_can_be_pickled() -> None:
    error = UrlError("BAD_PORT", 9, "http://a:x/")
    other = pickle.loads(pickle.dumps(error))
    assert (other.code, other.offset, str(other)) == (error.code, error.offset, str(error))
    option = pickle.loads(pickle.dumps(OptionError("BAD_OPTION", "bits: x")))
    assert (option.code, option.message) == ("BAD_OPTION", "bits: x")


def test_memory_stays_flat_over_a_thousand_batches(urls: list[str]) -> None:
    pa = pytest.importorskip("pyarrow")
    n = Normalizer("crawl")
    rows, column = urls[:2000], pa.array(urls[:2000])

    def work(times: int) -> None:
        for _ in range(times):
            n.normalize_batch(rows)
            n.normalize_batch(column)
            n.fingerprint_batch(column)

    work(100)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(900)
    gc.collect()
    unit = 1 if sys.platform == "darwin" else 1024
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit
    assert grown < 16 << 20


def test_a_kernel_that_traps_gives_an_error_and_the_next_call_a_fresh_one() -> None:
    # In a process of its own: Ray, which other tests load, takes the signal by which wasmtime sees a trap.
    subprocess.run(
        [sys.executable, "-c", "from test_processes import trap; trap()"],
        cwd=Path(__file__).parent,
        env={**os.environ, "PYTHONPATH": str(SRC)},
        check=True,
    )


def trap() -> None:
    """Let a kernel read outside of its memory, by a plan that was written over."""
    n = Normalizer("safe", drop_params=["b"])
    profile = int.from_bytes(n.plan[24:28], "little")
    table = int.from_bytes(n.plan[profile + 24 : profile + 28], "little")
    slots = 1 + int.from_bytes(n.plan[table : table + 4], "little")
    for call in (n.normalize_batch, lambda urls: n.normalize(urls[0])):
        with n._kernels.lend(b"") as kernel:
            start = kernel.instance.number("planStart") + table + 20
            kernel._write(start, (0xF0000000).to_bytes(4, "little") * slots)
        with pytest.raises(KernelError) as caught:
            call(["http://a/?b=1"])
        assert caught.value.code == "ENGINE_FAILED"
        assert "out of bounds" in str(caught.value)
        assert n.normalize("http://a/?b=1") == "http://a/"


def test_nothing_is_imported_before_it_is_used() -> None:
    program = (
        "import sys; from urlmill import Normalizer, SeenSet; n = Normalizer('crawl');"
        "n.normalize('http://a/'); n.normalize_batch(['http://a']); SeenSet().add('http://a/');"
        "print([m for m in ('numpy', 'pyarrow', 'pandas', 'polars') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(SRC)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
