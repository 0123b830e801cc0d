"""Sets on disk, by themselves."""

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from urlmill import KernelError, Normalizer, OptionError, PackageMissingError, SeenError, SeenSet
from urlmill._disk import DiskStore, files, kernel
from urlmill._disk.log_stack import LogStack
from urlmill._disk.plan import MemoryPlan
from urlmill._disk.settings import default_memory

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sets on disk need flock")
SOURCE = str(Path(__file__).parents[1] / "src")
LONG = os.environ.get("URLMILL_LONG") == "1"
MEMORY = 1 << 24
"""The least memory, so that sets of some 100,000 URLs are merged often."""


def url_of(number: int) -> str:
    return f"http://example.org/page/{number}"


class Model:
    """Answers as a set on disk must."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def add(self, urls: list[str]) -> list[int]:
        return [self._add(url) for url in urls]

    def _add(self, url: str) -> int:
        if url == "x":
            return 3
        is_new = url not in self.seen
        self.seen.add(url)
        return int(is_new)

    def has(self, urls: list[str]) -> list[int]:
        return [3 if url == "x" else int(url in self.seen) for url in urls]


def some_urls(chance: random.Random, most: int, below: int) -> list[str]:
    count = 1 + chance.randrange(most)
    return [
        "x" if chance.randrange(50) == 0 else url_of(chance.randrange(below)) for _ in range(count)
    ]


def test_it_answers_at_once_as_a_set_of_strings_does_whatever_is_merged(tmp_path: Path) -> None:
    chance, model = random.Random(37), Model()

    def opened() -> SeenSet:
        return SeenSet.open(tmp_path / "set", store="disk", memory=MEMORY, fsync="close")

    seen = opened()
    for _ in range(120 if LONG else 40):
        urls = some_urls(chance, 60_000 if chance.randrange(3) == 0 else 300, 1_000_000)
        if chance.randrange(3) == 0:
            assert list(seen.has_batch(urls)) == model.has(urls)
        else:
            assert list(seen.add_batch(urls)) == model.add(urls)
        if chance.randrange(8) == 0:
            seen.close()
            seen = opened()
    assert len(seen) == len(model.seen)
    assert seen.stats()["stored_bytes"] > 0
    assert (seen.stats()["size"], seen.bits) == (len(model.seen), 80)
    seen.close()


def test_it_answers_later_in_the_order_of_the_rows(tmp_path: Path) -> None:
    chance, model = random.Random(73), Model()

    def opened() -> SeenSet:
        path = tmp_path / "set"
        return SeenSet.open(path, store="disk", memory=MEMORY, fsync="close", immediate=False)

    seen = opened()
    expected: list[int] = []
    asked: list[bytes] = []
    row = 0
    for _ in range(100 if LONG else 30):
        urls = some_urls(chance, 150_000 if chance.randrange(4) == 0 else 300, 500_000)
        has_payload = chance.randrange(2) == 0
        assert seen.enqueue_batch(urls, payload="url" if has_payload else None) == len(expected)
        expected += model.add(urls)
        asked += [url.encode() if has_payload else b"" for url in urls]
        if chance.randrange(6) == 0:
            seen.close()
            seen = opened()
        if chance.randrange(4) > 0:
            continue
        for piece in seen.drain():
            end = row + len(piece.answers)
            assert piece.row == row
            assert list(piece.answers) == expected[row:end]
            if piece.payloads is not None:
                assert piece.payloads == asked[row:end]
            piece.commit()
            row = end
        assert row == len(expected)
        assert len(seen) == len(model.seen)
    seen.close()


def test_pieces_that_are_not_committed_come_again_and_others_do_not(tmp_path: Path) -> None:
    urls = [url_of(number) for number in range(70_000)]

    def drained(commits: int) -> list[tuple[int, bytes]]:
        pieces = []
        with SeenSet.open(tmp_path, store="disk", memory=MEMORY, immediate=False) as seen:
            for piece in seen.drain():
                pieces.append((piece.row, piece.answers))
                if len(pieces) <= commits:
                    piece.commit()
        return pieces

    with SeenSet.open(tmp_path, store="disk", memory=MEMORY, immediate=False) as seen:
        seen.enqueue_batch(urls)
        seen.enqueue_batch([*urls[:10], "x"])
    first = drained(0)
    assert [row for row, _ in first] == [0, 65_536]
    assert first[1][1] == bytes([1] * 4464 + [0] * 10 + [3])
    assert drained(1) == first
    assert drained(2) == first[1:]
    assert drained(0) == []


def test_rows_of_which_none_is_a_url_are_answered(tmp_path: Path) -> None:
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY) as seen:
        assert seen.enqueue_batch(["x", "", None], payload="url") == 0
        assert seen.enqueue_batch([], payload="url") == 3
        assert [(p.answers, p.payloads) for p in seen.drain()] == [(b"\3\2\x0e", [b"x", b"", b""])]


def test_an_empty_batch_leaves_no_file(tmp_path: Path) -> None:
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY) as seen:
        assert seen.enqueue_batch([], payload="url") == 0
        assert list(seen.drain()) == []
    assert sorted(os.listdir(tmp_path)) == ["lock", "manifest"]


def test_payloads_of_any_length_come_back(tmp_path: Path) -> None:
    payloads = [bytes([at]) * length for at, length in enumerate([0, 1 << 23, 3, (1 << 24) + 1, 5])]
    urls = [url_of(number) for number in range(5)]
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY) as seen:
        seen.enqueue_batch(urls, payload=payloads)
        with pytest.raises(OptionError, match="there are 5 for 4 URLs"):
            seen.enqueue_batch(urls[1:], payload=payloads)
        with pytest.raises(OptionError, match="bytes for each row"):
            seen.enqueue_batch(urls, payload="urls")  # type: ignore[arg-type]
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY) as seen:
        pieces = list(seen.drain())
    assert [payload for piece in pieces for payload in piece.payloads or []] == payloads
    assert [len(piece.answers) for piece in pieces] == [2, 2, 1]


@pytest.mark.parametrize("immediate", [True, False])
def test_rows_of_one_url_are_answered_however_many_they_are(
    tmp_path: Path, immediate: bool
) -> None:
    urls = [url_of(0 if row % 2 == 0 else row) for row in range(40_000)]
    model = Model()
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY, immediate=immediate) as seen:
        for _ in range(2):
            seen.enqueue_batch(urls, payload="url")
            answers = list[int]()
            for piece in seen.drain():
                answers += piece.answers
                piece.commit()
            assert answers == model.add(urls)
        assert len(seen) == len(model.seen)
        assert seen.stats()["memory_bytes"] < 2 * MEMORY
    assert sum(path.name[0] == "p" for path in tmp_path.iterdir()) == 256


def test_rows_that_do_not_fit_in_memory_are_refused(tmp_path: Path) -> None:
    urls = [url_of(number) for number in range(400_000)]
    with SeenSet.open(tmp_path, store="disk", memory=4 * MEMORY, immediate=False) as seen:
        seen.enqueue_batch(urls)
    seen = SeenSet.open(tmp_path, store="disk", memory=MEMORY)
    with pytest.raises(SeenError, match=r"^SET_FULL: .*immediate=False, and drain it"):
        len(seen)
    seen.close()
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY, immediate=False) as seen:
        assert sum(piece.answers.count(1) for piece in seen.drain()) == 400_000


def test_answers_are_right_with_less_memory_than_keys_were_added_with(tmp_path: Path) -> None:
    urls = [url_of(number) for number in range(300_000)]
    with SeenSet.open(tmp_path, store="disk", memory=4 * MEMORY) as seen:
        seen.add_batch(urls)
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY) as seen:
        assert len(seen) == 300_000
        assert seen.has_batch(urls).count(1) == 300_000
        assert list(seen.add_batch([urls[7], url_of(300_000)])) == [0, 1]
        assert len(seen) == 300_001


def test_the_index_of_a_large_set_has_room_in_little_memory() -> None:
    small, large = (MemoryPlan(0, MEMORY, True, blocks) for blocks in (0, 1000))
    assert large.index_bytes == 2 * 1000 * 8
    assert large.filter_bytes > 0
    assert large.groups < small.groups + (1 << 15)  # whole lines of filters


def test_a_set_without_answers_at_once_says_so_and_one_in_memory_does_not_wait(
    tmp_path: Path,
) -> None:
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY, immediate=False) as seen:
        with pytest.raises(OptionError, match="immediate=True"):
            seen.add_batch(["http://a/"])
        assert seen.enqueue_batch(["http://a/"]) == 0
        with pytest.raises(OptionError, match="sets in memory"):
            seen.reserve(1)
    for call in (lambda s: s.enqueue_batch([]), lambda s: s.sync(), lambda s: next(s.drain())):
        with pytest.raises(OptionError, match=r"need a set on disk: SeenSet.open"):
            call(SeenSet())


def test_add_answers_rows_that_wait_first(tmp_path: Path) -> None:
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY) as seen:
        seen.enqueue_batch(["http://a/", "http://b/"], payload=[b"1", b"2"])
        assert list(seen.add_batch(["http://b/", "http://c/"])) == [0, 1]
        assert [(p.answers, p.payloads) for p in seen.drain()] == [(b"\1\1", [b"1", b"2"])]


def test_a_closed_set_is_closed(tmp_path: Path) -> None:
    seen = SeenSet.open(tmp_path, store="disk", memory=MEMORY)
    seen.add("http://a/")
    seen.close()
    seen.close()
    with pytest.raises(SeenError, match=r"^SEEN_CLOSED"):
        seen.add("http://a/")
    with SeenSet() as memory:
        assert memory.add("http://a/")
    with pytest.raises(SeenError, match=r"^SEEN_CLOSED"):
        len(memory)


@pytest.mark.parametrize(
    "options",
    [
        {"store": "journal"},
        {"memory": 1},
        {"memory": "2G"},
        {"fsync": "never"},
        {"key": b"x"},
        {"bits": 64},
        {"normalizer": Normalizer(), "preset": "crawl"},
    ],
    ids=str,
)
def test_options_that_cannot_be_are_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        SeenSet.open(tmp_path / "set", **{"store": "disk", **options})
    assert not (tmp_path / "set").exists()


def test_other_options_another_key_and_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b"
    with SeenSet.open(path, "crawl", store="disk", memory=MEMORY, key=bytes(16)) as seen:
        assert seen.key == bytes(16)
    with pytest.raises(SeenError, match=r"^SEEN_MISMATCH: .*sortQuery was \"name\" and is not set"):
        SeenSet.open(path, store="disk", memory=MEMORY)
    with pytest.raises(SeenError, match=r"^SEEN_MISMATCH: .*under another key"):
        SeenSet.open(path, "crawl", store="disk", memory=MEMORY, key=bytes(15) + b"1")
    (tmp_path / "own").write_text("mine")
    with pytest.raises(SeenError, match=r"^SEEN_CORRUPT: .* holds (own|a) and no manifest"):
        SeenSet.open(tmp_path, store="disk", memory=MEMORY)


def test_one_process_at_a_time_has_the_directory(tmp_path: Path) -> None:
    seen = SeenSet.open(tmp_path, store="disk", memory=MEMORY)
    with pytest.raises(SeenError, match=rf"^SEEN_LOCKED: .* \(process {os.getpid()} on"):
        SeenSet.open(tmp_path, store="disk", memory=MEMORY)
    seen.close()
    SeenSet.open(tmp_path, store="disk", memory=MEMORY).close()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_neither_uses_the_set_nor_keeps_its_lock(tmp_path: Path) -> None:
    seen = SeenSet.open(tmp_path, store="disk", memory=MEMORY)
    child = os.fork()
    if child == 0:
        try:
            seen.add("http://b/")
        except SeenError:
            time.sleep(60)
        os._exit(1)
    try:
        seen.close()
        SeenSet.open(tmp_path, store="disk", memory=MEMORY).close()
    finally:
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_that_is_forked_while_the_lock_is_taken_does_not_keep_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    flock = fcntl.flock
    ends: list[int] = []

    def forking(file: FileIO, operation: int) -> None:
        flock(file, operation)
        child = os.fork()
        if child == 0:
            os._exit(0 if file.closed else 1)
        ends.append(os.waitpid(child, 0)[1])

    with monkeypatch.context() as patched:
        patched.setattr(fcntl, "flock", forking)
        seen = SeenSet.open(tmp_path, store="disk", memory=MEMORY)
    seen.close()
    assert ends == [0]


def test_a_system_without_flock_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with pytest.raises(PackageMissingError, match="needs the module fcntl"):
        SeenSet.open(tmp_path / "set", store="disk")
    assert not (tmp_path / "set").exists()


def test_a_kernel_that_cannot_be_made_is_no_damage_of_the_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_memory(**_: object) -> None:
        raise KernelError("ENGINE_UNAVAILABLE", "no memory for a kernel")

    SeenSet.open(tmp_path, store="disk", memory=MEMORY).close()
    with monkeypatch.context() as patched:
        patched.setattr(kernel, "Instance", no_memory)
        with pytest.raises(KernelError, match=r"^ENGINE_UNAVAILABLE: no memory"):
            SeenSet.open(tmp_path, store="disk", memory=MEMORY)
    SeenSet.open(tmp_path, store="disk", memory=MEMORY).close()


@pytest.mark.parametrize("code", [errno.EINVAL, errno.ENOTSUP, errno.EBADF])
def test_folders_that_cannot_be_synced_and_files_of_the_system_are_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def fsync(handle: int) -> None:
        if os.path.isdir(f"/dev/fd/{handle}"):
            raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fsync)
    (tmp_path / ".DS_Store").write_bytes(b"x")
    for expected in (True, False):
        with SeenSet.open(str(tmp_path), store="disk") as seen:
            assert seen.add("http://a/") is expected
    monkeypatch.setattr(files, "_CANNOT_SYNC", ())
    with pytest.raises(SeenError):
        SeenSet.open(str(tmp_path / "new"), store="disk")


def test_threads_share_a_set(tmp_path: Path) -> None:
    counts = [0] * 4
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY) as seen:

        def work(at: int) -> None:
            for first in range(0, 2000, 100):
                urls = [url_of(number) for number in range(first, first + 100)]
                counts[at] += seen.add_batch(urls).count(1)

        threads = [threading.Thread(target=work, args=(at,)) for at in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (sum(counts), len(seen)) == (2000, 2000)


def hold(
    monkeypatch: pytest.MonkeyPatch, owner: type, name: str
) -> tuple[threading.Event, threading.Event]:
    """Let a method wait for the second event, and set the first when it does."""
    call = getattr(owner, name)
    waiting, go_on = threading.Event(), threading.Event()

    def late(self: object) -> None:
        waiting.set()
        assert go_on.wait(60)
        call(self)

    monkeypatch.setattr(owner, name, late)
    return waiting, go_on


@pytest.mark.parametrize(
    ("owner", "name", "first"),
    [(LogStack, "sync", SeenSet.sync), (DiskStore, "close", SeenSet.close)],
    ids=["another call", "close"],
)
def test_threads_that_close_a_set_during_a_call_return_when_it_is_closed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    name: str,
    first: Callable[[SeenSet], None],
) -> None:
    seen = SeenSet.open(tmp_path, store="disk", memory=MEMORY)
    waiting, go_on = hold(monkeypatch, owner, name)
    with ThreadPoolExecutor(3) as threads:
        call = threads.submit(first, seen)
        assert waiting.wait(60)
        closing = [threads.submit(seen.close) for _ in range(2)]
        time.sleep(0.1)
        assert not any(each.done() for each in closing)
        go_on.set()
        for each in (call, *closing):
            each.result()
    SeenSet.open(tmp_path, store="disk", memory=MEMORY).close()


def test_stats_are_of_one_moment(tmp_path: Path) -> None:
    seen = SeenSet.open(tmp_path, store="disk", memory=MEMORY)
    lock = seen._lock

    class Yielding:
        """Gives other calls their turn when it is let go."""

        def __enter__(self) -> None:
            lock.acquire()

        def __exit__(self, *_: object) -> None:
            lock.release()
            seen._lock = lock
            seen.enqueue_batch(["http://a/"])
            for piece in seen.drain():
                piece.commit()

    seen._lock = Yielding()  # type: ignore[assignment]
    stats = seen.stats()
    assert (stats["size"], stats["settled_row"]) == (0, 0)
    assert len(seen) == 1
    seen.close()


def test_without_a_thread_that_syncs_later_rows_are_durable_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: threading.Timer) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Timer, "start", refuse)
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY) as seen:
        assert seen.add("http://a/")
        assert seen.enqueue_batch(["http://b/"]) == 0
        assert seen.stats()["durable_row"] == 1


def test_rows_are_durable_a_second_later_or_when_asked(tmp_path: Path) -> None:
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY) as seen:
        assert seen.enqueue_batch(["http://a/"]) == 0
        seen.sync()
        assert seen.stats()["durable_row"] == 1
        seen.enqueue_batch(["http://b/"])
        until = time.monotonic() + 60
        while seen.stats()["durable_row"] < 2:
            assert time.monotonic() < until
            time.sleep(0.05)
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY, fsync="batch") as seen:
        assert seen.enqueue_batch(["http://c/"]) == 2
        assert seen.stats()["durable_row"] == 3


def test_an_error_of_the_background_is_raised_by_the_next_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = threading.Event()

    def fail(_: object) -> None:
        failed.set()
        raise OSError(5, "Input/output error")

    for call in (lambda seen: seen.add("http://b/"), lambda seen: seen.close()):
        seen = SeenSet.open(tmp_path, store="disk", memory=MEMORY)
        seen.add("http://a/")
        with monkeypatch.context() as patched:
            patched.setattr("urlmill._disk.block_file.sync", fail)
            assert failed.wait(60)
            with pytest.raises(SeenError, match=r"^SEEN_FAILED: .*: Input/output error"):
                call(seen)
        seen.close()
        failed.clear()


def test_a_process_may_change_its_directory_while_a_set_is_open(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    with SeenSet.open("set", store="disk") as seen:
        monkeypatch.chdir("other")
        assert seen.add("http://a/")
    with SeenSet.open("../set", store="disk") as seen:
        assert not seen.add("http://a/")
    assert list(Path().iterdir()) == []


def test_a_call_that_is_interrupted_ends_the_set_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with (
        pytest.raises(KeyboardInterrupt),
        SeenSet.open(tmp_path, store="disk", memory=MEMORY) as seen,
    ):
        seen.add("http://a/")
        with monkeypatch.context() as patched:
            patched.setattr("urlmill._disk.block_file.write_fully", interrupt)
            with pytest.raises(KeyboardInterrupt):
                seen.add("http://b/")
        with pytest.raises(SeenError, match=r"^SEEN_FAILED: .*interrupted by KeyboardInterrupt"):
            seen.has("http://a/")
        raise KeyboardInterrupt
    with SeenSet.open(tmp_path, store="disk", memory=MEMORY) as seen:
        assert (seen.has("http://a/"), seen.add("http://b/")) == (True, True)


WRITER = """
import sys
from urlmill import SeenSet
path, seed = sys.argv[1:]
with SeenSet.open(path, store="disk", memory=1 << 24, fsync="close") as seen:
    print("size", len(seen), flush=True)
    for batch in range(1000):
        first = int(seed) * 10**7 + batch * 20000
        answers = seen.add_batch([f"http://example.org/page/{n}" for n in range(first, first + 20000)])
        assert set(answers) == {1}, answers.count(0)
        print(first, flush=True)
"""


def test_a_killed_writer_loses_nothing_that_it_was_told(tmp_path: Path) -> None:
    chance = random.Random(5)
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    told: list[int] = []
    for seed in range(12 if LONG else 4):
        command = [sys.executable, "-c", WRITER, str(tmp_path / "set"), str(seed)]
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline().startswith("size")
            killer = threading.Timer(chance.uniform(0.2, 3), writer.kill)
            killer.start()
            told += [int(line) for line in writer.stdout if line.endswith("\n")]
            killer.join()
        assert writer.returncode == -signal.SIGKILL
    with SeenSet.open(tmp_path / "set", store="disk", memory=MEMORY) as seen:
        for first in told:
            urls = [url_of(number) for number in range(first, first + 20_000)]
            assert seen.has_batch(urls).count(1) == 20_000
        fresh = [f"http://other.org/{number}" for number in range(20_000)]
        assert seen.add_batch(fresh).count(1) == 20_000
        assert 20_000 * len(told) <= len(seen) - 20_000 < 20_000 * (len(told) + 13)


class Crash(BaseException):
    """Ends a process as kill -9 does: what the system has is there, and nothing more is done."""


SYSTEM_CALLS = ("write_fully", "sync", "sync_directory", "rename", "remove", "open_file")


def crash_at(
    monkeypatch: pytest.MonkeyPatch, number: int, error: Callable[[], BaseException]
) -> list[int]:
    """Let the call of the system with this number end in an error, and all that follow. Return the count of calls."""
    calls = [0]

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            calls[0] += 1
            if calls[0] >= number:
                if real is files.write_fully and len(args[1]) > 1:
                    real(args[0], memoryview(args[1])[: len(args[1]) // 2], args[2])
                raise error()
            return real(*args, **named)

        return call

    for module in (
        "block_file",
        "manifest",
        "merge",
        "row_log",
        "folder",
        "log_stack",
        "lookups",
        "partitions",
    ):
        for name in SYSTEM_CALLS:
            whole = f"urlmill._disk.{module}.{name}"
            monkeypatch.setattr(whole, counted(getattr(files, name)), raising=False)
    return calls


@pytest.mark.parametrize("error", [Crash, lambda: OSError(28, "No space left on device")])
def test_a_crash_before_any_call_of_the_system_loses_and_repeats_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Callable[[], BaseException]
) -> None:
    """Runs rounds of rows that wait, which crash at a call of the system, until all rows are settled."""
    urls = [url_of(number % 700) for number in range(1000)]
    expected = bytes([1] * 700 + [0] * 300)

    def run(path: Path, kept: dict[int, bytes]) -> None:
        # With one key, each run has the same calls of the system.
        seen = SeenSet.open(
            path, store="disk", memory=MEMORY, immediate=False, fsync="batch", key=bytes(16)
        )
        try:
            for first in range(seen.stats()["next_row"], 1000, 500):
                seen.enqueue_batch(urls[first : first + 500], payload="url")
            for piece in seen.drain():
                assert kept.get(piece.row, piece.answers) == piece.answers
                kept[piece.row] = piece.answers
                assert piece.payloads == [
                    u.encode() for u in urls[piece.row :][: len(piece.answers)]
                ]
                piece.commit()
            seen.close()
        except BaseException:
            if seen._store._failure is None:  # type: ignore[attr-defined]
                raise
            seen._store._opened.close()  # type: ignore[attr-defined]
            raise

    with monkeypatch.context() as patched:
        calls = crash_at(patched, 10**9, error)
        run(tmp_path / "whole", {})
    for at in range(1, calls[0] + 1, 29 if LONG else 149):
        path, kept = tmp_path / str(at), dict[int, bytes]()
        with monkeypatch.context() as patched:
            crash_at(patched, at, error)
            with pytest.raises((Crash, SeenError)):
                run(path, kept)
        run(path, kept)
        assert b"".join(kept[row] for row in sorted(kept)) == expected, at


def test_a_crash_while_a_partition_is_merged_in_turns_loses_and_repeats_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = [url_of(0 if row % 2 == 0 else row) for row in range(60_000)]
    expected = Model().add(urls)

    def opened() -> SeenSet:
        return SeenSet.open(
            tmp_path / "set", store="disk", memory=MEMORY, immediate=False, key=bytes(16)
        )

    def drained(seen: SeenSet) -> list[int]:
        return [answer for piece in seen.drain() for answer in piece.answers]

    with opened() as seen:
        seen.enqueue_batch(urls)
    # The calls of its merge: each turn makes a file, and removes that of the turn before.
    shutil.copytree(tmp_path / "set", tmp_path / "before")
    with monkeypatch.context() as patched:
        calls = crash_at(patched, 10**9, Crash)
        with opened() as seen:
            assert drained(seen) == expected
    for at in range(1, calls[0] + 1, 31 if LONG else 199):
        shutil.rmtree(tmp_path / "set")
        shutil.copytree(tmp_path / "before", tmp_path / "set")
        seen = opened()
        with monkeypatch.context() as patched:
            crash_at(patched, at, Crash)
            with pytest.raises(Crash):
                drained(seen)
                seen.close()
                raise Crash
        seen._store._opened.close()  # type: ignore[attr-defined]
        with opened() as seen:
            assert drained(seen) == expected, at
            assert len(seen) == 30_001


def test_a_set_that_is_full_again_and_again_while_merges_are_cut_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = 900_000  # nearly what fits

    def opened() -> SeenSet:
        return SeenSet.open(tmp_path, store="disk", memory=MEMORY, immediate=False)

    for life in range(3):
        seen = opened()
        seen.enqueue_batch([url_of(number) for number in range(life * rows, (life + 1) * rows)])
        seen.sync()
        with monkeypatch.context() as patched:
            crash_at(patched, 400 * (life + 1), Crash)
            with pytest.raises(Crash):
                list(seen.drain())
        seen._store._opened.close()  # type: ignore[attr-defined]
    with opened() as seen:
        assert sum(piece.answers.count(1) for piece in seen.drain()) == 3 * rows


def test_tables_that_are_full_when_their_merge_is_cut_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened() -> SeenSet:
        return SeenSet.open(tmp_path, store="disk", memory=MEMORY)

    full = 275_000  # of 279,552
    seen = opened()
    for at in range(0, full, 55_000):
        seen.add_batch([url_of(number) for number in range(at, at + 55_000)])
    with monkeypatch.context() as patched:
        crash_at(patched, 900, Crash)
        with pytest.raises(Crash):
            seen.add_batch([url_of(number) for number in range(full, full + 10_000)])
    seen._store._opened.close()  # type: ignore[attr-defined]
    with opened() as seen:
        assert len(seen) == full
        assert seen.add_batch([url_of(n) for n in range(full, full + 10_000)]).count(1) == 10_000


def test_damage_of_any_file_is_found_and_named(tmp_path: Path) -> None:
    path = tmp_path / "set"
    urls = [url_of(number) for number in range(3000)]

    def open_set() -> SeenSet:
        return SeenSet.open(path, store="disk", memory=MEMORY, fsync="close")

    with open_set() as seen:
        seen.enqueue_batch(urls[:2000], payload="url")
        assert len(list(seen.drain())) == 1
        seen.add_batch(urls[2000:])
    chance = random.Random(9)
    names = sorted(name for name in os.listdir(path) if name != "lock")
    kinds = {name.partition(".")[0][:1] for name in names}
    assert kinds >= {"m", "p", "l", "n"}
    for name in names if LONG else [*chance.sample(names, 40), *names[-8:]]:
        whole = (path / name).read_bytes()
        if not whole:
            continue
        damaged = bytearray(whole)
        damaged[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        (path / name).write_bytes(damaged)
        try:
            with pytest.raises(SeenError, match=rf"^SEEN_CORRUPT: .*{name}"), open_set() as seen:
                for piece in seen.drain():
                    assert piece.answers == b"\1" * 2000
                answers = seen.has_batch([*urls, *(url_of(number) for number in range(-9000, 0))])
                assert answers == b"\1" * 3000 + bytes(9000)
                seen.enqueue_batch([url_of(number) for number in range(-9000, 0)])
                list(seen.drain())
        finally:
            (path / name).write_bytes(whole)


def test_the_default_memory_is_a_part_of_what_the_process_may_have(tmp_path: Path) -> None:
    assert 1 << 24 <= default_memory() <= 1 << 31
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("0::/a/b\n")
    group = tmp_path / "sys/fs/cgroup/a"
    (group / "b").mkdir(parents=True)
    (group / "b/memory.max").write_text("max\n")
    (group / "memory.max").write_text(f"{1 << 26}\n")
    assert default_memory(str(tmp_path)) == 3 << 24
