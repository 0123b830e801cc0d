"""Results of Python are those of Node."""

import hashlib
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from urlmill import Normalizer, UrlError

PRESETS = ["safe", "crawl", "c14n", "aggressive"]
Node = Callable[..., bytes]
PIECES = [
    *("http:", "HTTPS:", "ftp:", "file:", "urn:", "mailto:", "//", "/", "\\", "?", "#", "@", ":"),
    *("a", "example.com", "B\u00fccher.de", "\u65e5\u672c", "\u00ad", "xn--a", "1.2.3.4", "[::1]"),
    *("0x7f.1", "256.256", "%41", "%zz", "%", "..", ".", "%2e", ";", "&", "=", "a=1", "utm_id=2"),
    *(" ", "\t", "\n", "\r", "\0", "\x7f", "\ufffd", "\U0001f600", "'", '"', "<", "|", "^", ":80"),
]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_list_and_a_column_have_the_bytes_of_the_command_line(
    preset: str, corpus: bytes, urls: list[str], node: Node
) -> None:
    pa = pytest.importorskip("pyarrow")
    flags = ["normalize", "--preset", preset, "--on-error", "empty"]
    expected = digest(node("dist/cli/main.js", *flags, data=corpus))
    n = Normalizer(preset)
    for batch in (urls, pa.array(urls).to_pylist(), pa.array(urls)):
        values = n.normalize_batch(batch).values
        texts = values if isinstance(values, list) else values.to_pylist()
        assert digest("".join(f"{url or ''}\n" for url in texts).encode()) == expected


@pytest.mark.parametrize("preset", PRESETS)
def test_plan_and_profile_id_are_those_of_node(preset: str, tmp_path: Any, node: Node) -> None:
    file = tmp_path / "p.plan"
    said = node("dist/cli/main.js", "plan", "--preset", preset, "-o", str(file))
    n = Normalizer(preset)
    assert n.plan == file.read_bytes() == Normalizer(plan=file).plan
    assert n.profile_id == Normalizer(plan=file.read_bytes()).profile_id
    del said


def results_of(cases: list[tuple[str, str | None]], preset: str) -> list[list[Any]]:
    n = Normalizer(preset)
    results: list[list[Any]] = []
    for url, base in cases:
        status = n.try_normalize(url, base).status
        try:
            results.append([n.normalize(url, base), status.name, -1])
        except UrlError as error:
            assert error.code == status.name
            results.append([None, error.code, error.offset])
    return results


@pytest.mark.parametrize("preset", ["safe", "aggressive"])
def test_codes_and_offsets_of_hostile_urls_are_those_of_node(
    preset: str, node: Node, fixture_json: Callable[[str], Any]
) -> None:
    source = random.Random(3986)
    bases = [None, None, "http://a/b/c/d;p?q#f", "file:///C:/a/b", "urn:a:b", "nothing", ""]
    cases: list[tuple[str, str | None]] = [
        (case["input"], case["base"])
        for case in fixture_json("wpt/urltestdata.json")
        if isinstance(case, dict) and case["input"].isprintable()
    ]
    for _ in range(5000):
        text = "".join(source.choices(PIECES, k=source.randint(1, 9)))
        cases.append((text, source.choice(bases)))
    given = json.dumps(cases).encode()
    expected = json.loads(node("python/tests/write_results.mjs", preset, data=given))
    assert sum(url is None for url, _, _ in expected) > 500
    found = results_of(cases, preset)
    wrong = [row for row in zip(cases, found, expected, strict=True) if row[1] != row[2]]
    assert wrong == []


def test_a_batch_gives_each_row_what_it_gives_alone(urls: list[str]) -> None:
    source = random.Random(17)
    rows = ["".join(source.choices(PIECES, k=source.randint(1, 9))) for _ in range(5000)]
    rows += urls[:3000]
    n = Normalizer("crawl")
    for base in (None, "http://a/b/c/d;p?q#f"):
        values, status = n.normalize_batch(rows, base)
        alone = [n.try_normalize(row, base) for row in rows]
        assert values == [url for url, _ in alone]
        assert list(status) == [int(code) for _, code in alone]
