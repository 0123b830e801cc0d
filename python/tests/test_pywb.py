"""Rules that `urlmill lists export --to pywb` writes, as pywb itself looks pages up by them."""

import warnings
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from test_command import node as node_command

from urlmill import Normalizer

with warnings.catch_warnings():
    # pywb imports modules of Python that are deprecated.
    warnings.simplefilter("ignore")
    pytest.importorskip("pywb")
    from pywb.warcserver.index.cdxobject import CDXObject
    from pywb.warcserver.index.cdxops import cdx_filter
    from pywb.warcserver.index.fuzzymatcher import FuzzyMatcher

RULES = """#urlmill-rules 1
*\t*\tdrop gid,mc_<*>
*\t*\tdropif cb=<N>
a.example\t/t/...\tdrop sid
a.example\t/u\tdropif h=<H16>
*.d.example\t*\tdrop ref
b.example\t/s/... ?id&p%5B0%5D\tkeep id,p%5B0%5D
\tunless\tb.example\t/s/... ?id=
\tunless\tb.example\t/s/... ?p%5B0%5D=
\tunless\tb.example\t/s/x/...
b.example\t/s...\tkeep
\tunless\tb.example\t/s/x/...
\tunless\tb.example\t/s/... ?id&p%5B0%5D
"""
PATHS = {
    "a.example": ["/", "/t/1", "/t", "/u", "/u/x"],
    "b.example": ["/s/1", "/s/x/1", "/r"],
    "d.example": ["/"],
    "x.d.example": ["/"],
    "c.example": ["/"],
}
QUERIES = [
    "",
    "gid=1",
    "gid=2&q=1",
    "q=1",
    "q=1&mc_id=2",
    "cb=12",
    "cb=x",
    "q=1&cb=1&z=2",
    "q=1&z=2",
    "sid=1",
    "q=1&sid=2",
    "h=0123456789abcdef",
    "h=01",
    "ref=a",
    "id=1&p%5B0%5D=2&x=3",
    "id=1&p%5B0%5D=2",
    "id=2&p%5B0%5D=2",
]


def node(folder: Path, call: str) -> None:
    done = node_command(*call.split(), cwd=folder)
    assert done.returncode == 0, done.stderr


def finds(matcher: Any, asked: str, held: str) -> bool:
    """Return whether pywb finds a capture of one URL for another one, from an index that has it alone."""
    keys = {url: Normalizer().urlkey(url) for url in (asked, held)}

    def source(params: dict[str, Any]) -> tuple[Any, None]:
        if "is_fuzzy" not in params:
            return iter([]), None
        start = Normalizer().urlkey(params["url"])
        held_ones = [
            CDXObject(f"{keys[held]} 20200101000000 {held} text/html 200 X 1 0 a".encode())
        ]
        found = [each for each in held_ones if each["urlkey"].startswith(start)]
        return cdx_filter(iter(found), list(params["filter"])), None

    results, _ = matcher(source, {"url": asked, "key": keys[asked].encode()})
    return any(True for _ in results)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pywb")
    (folder / "rules.tsv").write_text(RULES)
    node(folder, "lists export --to pywb rules.tsv -o rules.yaml")
    return folder


def test_urls_find_each_other_in_pywb_if_the_rules_make_them_one(exported: Path) -> None:
    matcher = FuzzyMatcher(str(exported / "rules.yaml"))
    normalizer = Normalizer(rules=RULES)
    wrong, merged = [], 0
    for host, paths in PATHS.items():
        for path, asked, held in product(paths, QUERIES, QUERIES):
            if asked == held:
                continue
            one, other = (f"http://{host}{path}{'?' if q else ''}{q}" for q in (asked, held))
            is_one = normalizer.normalize(one) == normalizer.normalize(other)
            merged += is_one
            # A look-up of one may find another that the rule leaves alone, and that does not find it.
            found = finds(matcher, one, other) and finds(matcher, other, one)
            if found != is_one:
                wrong.append((one, other, is_one))
    assert merged > 300
    assert wrong == []


def test_what_pywb_has_stays_through_import_and_export(exported: Path) -> None:
    name = "rules"
    for form in ("first", "second"):
        node(exported, f"lists import --from pywb --day 2026-11-26 {name}.yaml -o {form}.tsv")
        node(exported, f"lists export --to pywb {form}.tsv -o {form}.yaml")
        name = form
    assert (exported / "first.tsv").read_text() == (exported / "second.tsv").read_text()
    assert (exported / "first.yaml").read_text() == (exported / "second.yaml").read_text()
