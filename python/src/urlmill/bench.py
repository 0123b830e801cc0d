"""Measures nanoseconds a URL next to other packages, in one interleaved run: `python -m urlmill.bench [FILE]`.

FILE has one URL a line and may be gzip. Without it, the 50,000 URLs of the project's tests are taken.
"""

import gzip
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from . import Normalizer, SeenSet, __version__

ROUNDS = 7
"""Rounds of which the median counts."""
SLOW = 2000
"""URLs that the packages take that do one at a time in Python."""

_CORPUS = Path(__file__).parents[3] / "test" / "fixtures" / "urls-50k.txt.gz"


class Contestant(NamedTuple):
    """Names a way to normalize URLs, how it runs, and how many URLs a run takes."""

    name: str
    run: Callable[[], object]
    urls: int


def _each(name: str, call: Callable[[str], object], urls: Sequence[str]) -> Contestant:
    """Return a run of a function over those URLs that it takes."""
    taken = [url for url in urls if _takes(call, url)]

    def run() -> None:
        for url in taken:
            call(url)

    return Contestant(name, run, len(taken))


def _takes(call: Callable[[str], object], url: str) -> bool:
    try:
        call(url)
    except Exception:
        return False  # each package has its own error for what is not a URL
    return True


def ours(urls: Sequence[str]) -> list[Contestant]:
    """Return the ways of this package."""
    n = Normalizer(preset="crawl")
    rows, few = list(urls), urls[: 5 * SLOW]
    seen = SeenSet(normalizer=n, capacity=len(rows))
    ways = [
        Contestant("urlmill, list to list", lambda: n.normalize_batch(rows), len(rows)),
        Contestant("urlmill, fingerprints of a list", lambda: n.fingerprint_batch(rows), len(rows)),
        Contestant("urlmill, SeenSet.add_batch", lambda: seen.add_batch(rows), len(rows)),
        _each("urlmill, one URL", n.normalize, few),
    ]
    try:
        import pyarrow as pa
    except ModuleNotFoundError:
        return ways
    column = pa.array(rows)
    return [
        Contestant("urlmill, pyarrow column", lambda: n.normalize_batch(column), len(rows)),
        Contestant(
            "urlmill, fingerprints of a column", lambda: n.fingerprint_batch(column), len(rows)
        ),
        *ways,
    ]


def _calls() -> dict[str, Callable[[], Any]]:
    """Return what loads each other package's function."""

    def w3lib() -> Any:
        from w3lib.url import canonicalize_url

        return canonicalize_url

    def ada_url() -> Any:
        from ada_url import normalize_url

        return normalize_url

    def can_ada() -> Any:
        from can_ada import parse

        return lambda url: parse(url).href

    def yarl() -> Any:
        from yarl import URL

        return lambda url: str(URL(url))

    def url_normalize() -> Any:
        from url_normalize import url_normalize as call

        return call

    def courlan() -> Any:
        from courlan import normalize_url

        return normalize_url

    return {
        "w3lib": w3lib,
        "ada-url": ada_url,
        "can-ada": can_ada,
        "yarl": yarl,
        "url-normalize": url_normalize,
        "courlan": courlan,
    }


def others(urls: Sequence[str]) -> tuple[list[Contestant], list[str]]:
    """Return the other packages that are installed, and the names of those that are not."""
    found, missing = [], []
    for name, load in _calls().items():
        try:
            call, release = load(), version(name)
        except (ModuleNotFoundError, PackageNotFoundError):
            missing.append(name)
            continue
        some = urls if name == "can-ada" else urls[:SLOW]
        found.append(_each(f"{name} {release}", call, some))
    return found, missing


def measure(contestants: Sequence[Contestant], rounds: int = ROUNDS) -> dict[str, float]:
    """Return the median of nanoseconds a URL of each contestant, who take turns."""
    times: dict[str, list[float]] = {each.name: [] for each in contestants}
    for each in contestants:
        each.run()
    for _ in range(rounds):
        for name, run, count in contestants:
            begin = time.perf_counter_ns()
            run()
            times[name].append((time.perf_counter_ns() - begin) / count)
    return {name: statistics.median(taken) for name, taken in times.items()}


def main(arguments: Sequence[str]) -> None:
    """Print a table of nanoseconds a URL."""
    file = Path(arguments[0]) if arguments else _CORPUS
    if not file.is_file():
        sys.exit(f"{file} is missing: name a file with one URL a line")
    data = file.read_bytes()
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    urls = data.decode("utf-8", "replace").split("\n")
    if urls[-1] == "":
        urls.pop()
    rest, missing = others(urls)
    medians = measure([*ours(urls), *rest])
    w3lib = next((ns for name, ns in medians.items() if name.startswith("w3lib")), None)
    print(f"urlmill {__version__}, preset crawl, {len(urls)} URLs of {file.name}")
    print(f"median of {ROUNDS} interleaved rounds\n")
    print(f"{'':36}{'ns a URL':>10}{'' if w3lib is None else 'x w3lib':>10}")
    for name, ns in medians.items():
        ratio = "" if w3lib is None else f"{w3lib / ns:.1f}"
        print(f"{name:36}{ns:>10,.0f}{ratio:>10}")
    if missing:
        print(f"\nnot installed, so not measured: {', '.join(missing)}")


if __name__ == "__main__":
    main(sys.argv[1:])
