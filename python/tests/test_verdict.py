"""Verdicts of `explain` on two texts: the first line is that of Node."""

import json
import os
import random
import re
from collections.abc import Callable

import pytest
from test_explain import SOME

from urlmill import Normalizer
from urlmill._cli.verdict import verdict

PAIRS = 600 if os.environ.get("URLMILL_LONG") == "1" else 60
PIECES = {
    "scheme": ["http:", "HTTP:", "https:", "foo:"],
    "authority": ["//a", "//A:80", "//a:81", "//u@a", "//u:p@a", "//b.a", "//[::1]", "//[::1]:8"],
    "path": ["", "/", "/x", "/x/", "//x", "/.//x", "/%41"],
    "query": [
        "",
        "?",
        "?a",
        "?a=1",
        "?a=2",
        "?a=1&b=2",
        "?b=2&a=1",
        "?b=2;a=1",
        "?a=1&a=2",
        "?&=1",
    ],
    "fragment": ["", "#", "#a", "#a?b"],
}
VERDICT = re.compile(r"(?:one key|two keys): .*")


def made_up(chance: random.Random) -> tuple[str, str]:
    """Return two texts that differ in one piece or two."""
    first = [chance.choice(values) for values in PIECES.values()]
    second = list(first)
    for _ in range(chance.randrange(3)):
        at = chance.randrange(len(first))
        second[at] = chance.choice(list(PIECES.values())[at])
    return "".join(first), "".join(second)


@pytest.mark.parametrize("preset", ["safe", "crawl"])
def test_the_first_line_is_that_of_node(node: Callable[..., bytes], preset: str) -> None:
    chance = random.Random(preset)
    pairs = [made_up(chance) for _ in range(PAIRS)]
    pairs += [(chance.choice(SOME), chance.choice(SOME)) for _ in range(PAIRS // 2)]
    pairs += [("x", "x"), ("x", "y"), ("http://a", "x"), ("foo:/.//a", "foo:/a"), ("é", "http://é")]
    n = Normalizer(preset)
    given = [
        verdict(pair, [n.try_normalize(url).url for url in pair], False).split("\n", 1)[0]
        for pair in pairs
    ]
    request = {"flags": ["-p", preset], "pairs": pairs}
    said = node("python/tests/write_verdicts.mjs", data=json.dumps(request).encode()).decode()
    expected = [line for line in said.split("\n") if VERDICT.fullmatch(line)]
    assert dict(zip(pairs, given, strict=True)) == dict(zip(pairs, expected, strict=True))
    assert len({line.split(":")[0] for line in given}) == 2
