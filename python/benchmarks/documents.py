"""Measure how documents are deduped by their URLs: `python python/benchmarks/documents.py DOCUMENTS [URLMILL]`.

Prints the processor time of each recipe for training data in microseconds a document, which are thousands of
core-seconds for a billion. `URLMILL` is `dist/cli/main.js` of a build, for the recipe of Dolma. Leaves out libraries
that are not installed.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from urlmill import SeenSet

BATCH = 10_000


def urls(count: int) -> Iterator[str]:
    """Yield URLs of which three of ten repeat an earlier one, most under another spelling."""
    for row in range(count):
        page = row * 7919 % (count * 7 // 10 or 1)
        yield f"http://{'WWW' if row % 3 == 0 else 'www'}.example.org/page/{page}?id={page % 10}&a=1#{row % 2}"


def batches(some: Iterator[str]) -> Iterator[list[str]]:
    """Yield the URLs in batches."""
    while batch := list(islice(some, BATCH)):
        yield batch


def spent(who: int = resource.RUSAGE_SELF) -> float:
    """Return the seconds of the processor so far."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def measure(
    name: str, count: int, run: Callable[[], object], who: int = resource.RUSAGE_SELF
) -> None:
    """Print what a run takes a document."""
    begin = spent(who)
    run()
    print(f"{name:48} {(spent(who) - begin) / count * 1e6:7.2f}", flush=True)


def datatrove(count: int, folder: str) -> None:
    """Dedupe documents of datatrove, by their URLs as they are, and normalized."""
    from datatrove.data import Document
    from datatrove.pipeline.dedup import (
        ExactDedupConfig,
        ExactDedupFilter,
        ExactDedupSignature,
        ExactFindDedups,
    )

    from urlmill.datatrove import UrlContent

    documents = [
        Document(text="", id=str(at), metadata={"url": url}) for at, url in enumerate(urls(count))
    ]
    getters: dict[str, Callable[[Document], str]] = {
        "datatrove, URLs as they are": lambda document: document.metadata["url"],
        "datatrove, UrlContent": UrlContent(preset="crawl"),
    }
    for at, (name, getter) in enumerate(getters.items()):
        config = ExactDedupConfig(content_getter=getter)
        signatures, repeats = f"{folder}/signatures{at}", f"{folder}/repeats{at}"

        def run(config: ExactDedupConfig, signatures: str, repeats: str) -> None:
            ExactDedupSignature(signatures, config).run(documents)
            ExactFindDedups(signatures, repeats, config).run()
            for _ in ExactDedupFilter(repeats, config).run(documents):
                pass

        measure(name, count, lambda c=config, s=signatures, r=repeats: run(c, s, r))


def arrow(count: int) -> None:
    """Run what the stage for NeMo Curator does with each batch."""
    import pyarrow as pa
    import pyarrow.compute as pc

    seen = SeenSet(preset="crawl")
    tables = [pa.table({"url": some}) for some in batches(urls(count))]

    def run() -> None:
        for table in tables:
            table.filter(pc.not_equal(seen.add_batch(table["url"]), 0))

    measure("NeMo Curator, the stage, batches of 10,000", count, run)


def dolma(count: int, folder: str, program: str) -> None:
    """Dedupe JSON lines by the command of Node."""
    source = Path(folder, "documents.jsonl")
    with source.open("w") as file:
        for at, url in enumerate(urls(count)):
            file.write(
                json.dumps(
                    {"id": at, "added": f"2024-01-{at % 28 + 1:02}", "metadata": {"url": url}}
                )
                + "\n"
            )
    blocked = Path(folder, "blocked.txt")
    blocked.write_text("spam.example\n")
    target = str(Path(folder, "unique.jsonl"))
    command = [
        "node",
        program,
        "dedupe",
        "-p",
        "crawl",
        "--field",
        "metadata.url",
        "-q",
        "-o",
        target,
    ]
    more = {
        "Dolma, the first": [],
        "Dolma, --block": ["--block", str(blocked)],
        "Dolma, --keep max:added --block": ["--keep", "max:added", "--block", str(blocked)],
    }
    for name, flags in more.items():
        call = [*command, *flags, str(source)]
        measure(
            name,
            count,
            lambda call=call: subprocess.run(call, check=True),
            resource.RUSAGE_CHILDREN,
        )


def main(count: int, program: str | None) -> None:
    """Print a line for each recipe."""
    print(f"{count:,} documents, of which three of ten repeat a URL: microseconds a document")
    with tempfile.TemporaryDirectory() as folder:
        with suppress(ImportError):
            datatrove(count, folder)
        with suppress(ImportError):
            arrow(count)
        if program is not None:
            dolma(count, folder, os.path.abspath(program))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
