"""The vectors of the Node suite through Python."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from test_plan_bytes import in_snake_case

from urlmill import Normalizer

PRESETS = ["safe", "crawl", "c14n", "aggressive"]
Fixture = Callable[[str], Any]


@pytest.mark.parametrize("preset", PRESETS)
def test_pairs_that_are_one_page_become_equal(fixture_json: Fixture, preset: str) -> None:
    n = Normalizer(preset)
    pairs = fixture_json("pairs.json")["equal"]
    assert len(pairs) > 10
    assert [p for p in pairs if n.normalize(p["a"]) != n.normalize(p["b"])] == []


@pytest.mark.parametrize("preset", ["safe", "crawl"])
def test_pairs_that_are_two_pages_stay_apart(fixture_json: Fixture, preset: str) -> None:
    n = Normalizer(preset)
    pairs = fixture_json("pairs.json")["differ"]
    assert len(pairs) > 10
    assert [p for p in pairs if n.normalize(p["a"]) == n.normalize(p["b"])] == []


def test_seeds_have_their_expected_form_under_their_options(fixture_json: Fixture) -> None:
    cases = fixture_json("seeds.json")["cases"]
    assert len(cases) > 30
    wrong = []
    for case in cases:
        n = Normalizer(**in_snake_case(case["options"]))
        for url in (case["input"], case["expected"]):
            if n.normalize(url) != case["expected"]:
                wrong.append((case, n.normalize(url)))
    assert wrong == []


@pytest.mark.parametrize("name", ["toascii.json", "IdnaTestV2.json"])
def test_international_hosts_are_written_as_the_platform_tests_say(
    fixture_json: Fixture, name: str
) -> None:
    n = Normalizer()
    cases = [case for case in fixture_json(f"wpt/{name}") if isinstance(case, dict)]
    # The files are of Unicode 17.0 and refuse U+3E8AC, which came with 18.0.
    cases = [case for case in cases if "\U0003e8ac" not in case["input"]]
    assert len(cases) > 80
    wrong = []
    for case in cases:
        if case["input"] == "":
            continue  # no host at all: the URL Standard takes what follows for one
        expected = None if case["output"] is None else f"https://{case['output']}/x"
        host = quote(case["input"].encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        if n.try_normalize(f"https://{host}/x").url != expected:
            wrong.append(case)
    assert wrong == []


def test_platform_tests_that_fail_have_no_normal_form(fixture_json: Fixture) -> None:
    n = Normalizer()
    cases = [c for c in fixture_json("wpt/urltestdata.json") if isinstance(c, dict)]
    special = ("http:", "https:", "ws:", "wss:", "ftp:", "file:")
    failing = [
        c for c in cases if c.get("failure") and c["input"].lstrip().lower().startswith(special)
    ]
    assert len(failing) > 100
    assert [c for c in failing if n.try_normalize(c["input"], c["base"])] == []
