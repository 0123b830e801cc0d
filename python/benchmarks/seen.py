"""Measure sets in memory and on disk: `python python/benchmarks/seen.py ROWS [MEMORY]`, processor time in ns a URL."""

import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from urlmill import SeenSet

BATCH = 100_000


def batches(rows: int) -> Iterator[list[str]]:
    """Yield URLs, all of them different, in an order that files do not have."""
    for first in range(0, rows, BATCH):
        some = range(first, min(rows, first + BATCH))
        yield [f"http://example.org/page/{row * 7919 % rows}?id={row % 10}" for row in some]


def measure(name: str, some: Iterable[list[str]], call: Callable[[list[str]], object]) -> None:
    """Print what a call takes, without making the URLs."""
    taken, rows = 0.0, 0
    for urls in some:
        begin = time.process_time()
        call(urls)
        taken += time.process_time() - begin
        rows += len(urls)
    print(f"{name:32} {taken / rows * 1e9:6.0f}", flush=True)


def drain(seen: SeenSet) -> None:
    """Take all answers."""
    for piece in seen.drain():
        piece.commit()


def main(rows: int, memory: int) -> None:
    """Print a line for each way."""
    measure("memory: add_batch", batches(rows), SeenSet("crawl").add_batch)
    with tempfile.TemporaryDirectory() as path:
        with SeenSet.open(path, "crawl", store="disk", memory=memory, immediate=False) as seen:
            measure("disk: enqueue_batch", batches(rows), seen.enqueue_batch)
            begin = time.process_time()
            drain(seen)
            print(f"{'disk: drain':32} {(time.process_time() - begin) / rows * 1e9:6.0f}")
        with SeenSet.open(path, "crawl", store="disk", memory=memory) as seen:
            measure("disk: has_batch, all in files", [next(batches(rows))], seen.has_batch)
    with (
        tempfile.TemporaryDirectory() as path,
        SeenSet.open(path, "crawl", store="disk", memory=memory) as seen,
    ):
        measure("disk: add_batch", batches(rows), seen.add_batch)
        print({name: value for name, value in seen.stats().items() if name.endswith("bytes")})


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1 << 30)
