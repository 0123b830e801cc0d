"""What mypy and pyright say of a user's project. The types of options come from the catalog of the Node package."""

import json
import pydoc
import re
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from urlmill import Normalizer, NormalizerOptions, OptionError, PresetName, SiteOptions
from urlmill._option_types import OPTION_TEXTS
from urlmill._options.tables import OPTION_NAMES, SITE_OPTIONS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "python" / "src"
HEAD = """from collections import deque
from collections.abc import Iterator
from urlmill import Normalizer, NormalizerOptions, SeenSet, dedupe, normalize
import numpy as np
import pandas as pd
import polars as pl
from urlmill import pandas as of_pandas
from urlmill import polars as url
n = Normalizer()
names = {"ref"}
# As pyarrow-stubs has an array, of any type.
class Column:
    def to_pylist(self, *, maps_as_pydicts: str | None = None) -> list[object]: ...
    def unique(self) -> "Column": ...
    def __iter__(self) -> Iterator[object]: ...
"""
ACCEPTED = [
    'Normalizer(preset="crawl", www="remove", www_digits=True, max_length=9)',
    'Normalizer("safe", drop_params=["ref"], keep_params=("id",), directory_index=True)',
    'Normalizer(directory_index="keep", host_aliases={"a": "b"}, rules="rules.tsv")',
    'Normalizer(sites={"a.org": {"preset": "crawl", "www": "remove"}})',
    'options: NormalizerOptions = {"sort_query": "name"}\nSeenSet("crawl", bits=64, **options)',
    'a: str = n.normalize("http://a", base=b"http://b")',
    'b: list[str | None] = n.normalize_batch(["http://a"]).values',
    'c: tuple[str | None, ...] = n.normalize_batch(("http://a", None)).values',
    'd: pl.Series = n.surt_batch(pl.Series(["http://a"])).values',
    'e: list[bytes | None] = n.fingerprint_batch({b"http://a"}).fingerprints',
    'values, status = n.normalize_batch(["http://a"])\nf: list[str | None] = values',
    'g = n.normalize_batch(np.array(["http://a"])).values',
    'result = n.try_normalize("http://a")\nif result.url is not None:\n    h: str = result.url',
    'with SeenSet("crawl") as seen:\n    j: bool = seen.add("http://a")',
    'p: list[str] = dedupe(["http://a"], preset="crawl", keep="last")',
    'q: tuple[str | None, ...] = dedupe(("http://a", None))',
    'r: pl.DataFrame = dedupe(pl.DataFrame({"page": ["http://a"]}), "page", www="remove")',
    's: pl.LazyFrame = dedupe(pl.LazyFrame({"url": ["http://a"]}), normalizer=n)',
    't = dedupe(np.array(["http://a"]))',
    'u: str = normalize("http://a", "crawl", base="http://b", drop_params=["x"])',
    "Normalizer(drop_params=names, keep_params=frozenset(names), allowed_schemes={'http': 1}.keys())",
    "Normalizer(drop_params=deque(names), directory_index=names)",
    'v: pl.Expr = url.of(pl.col("u")).normalize("crawl", errors="keep")',
    'w: pl.Series = url.of(pl.Series(["http://a"])).fingerprint(key=bytes(16))',
    "y = n.normalize_batch(Column()).values.to_pylist()",
    "z = n.fingerprint_batch(Column()).fingerprints.to_pylist()",
    'x = of_pandas.of(pd.Series(["http://a"])).normalize("crawl", www="remove")',
]
REFUSED = [
    'Normalizer(preset="crawll")',
    'Normalizer(wwww="remove")',
    'Normalizer(www="removed")',
    "Normalizer(max_length='9')",
    'Normalizer(drop_params="ref")',
    'Normalizer(preset="crwal", drop_parms=[])',
    'Normalizer(sites={"a.org": {"rules": "x"}})',
    'SeenSet(preset="crawll")',
    'bad_options: NormalizerOptions = {"sortQuery": "name"}',
    "n.normalize(1)",
    "n.normalize_batch(5)",
    "n.normalize_batch([1, 2])",
    'n.normalize_batch(pl.DataFrame({"url": ["http://a"]}))',
    'dedupe(["http://a"], keep="any")',
    'dedupe(["http://a"], preset="crawll")',
    'dedupe(["http://a"], "url")',
    'dedupe([{"url": "http://a"}])',
    'normalize("http://a", wwww="remove")',
    'k: list[str] = n.normalize_batch(["http://a"]).values',
    'l: str = n.try_normalize("http://a").url',
    'm: str = n.fingerprint_batch(["http://a"]).fingerprints[0]',
    'Normalizer(drop_params=b"ref")',
    "Normalizer(drop_params=[1])",
    'Normalizer(drop_params={"ref": "x"})',
    'url.of(pl.col("u")).normalise()',
    'url.of(pl.col("u")).normalize(wwww="remove")',
    "url.of(5)",
]
# mypy asks no named tuple whether it is true.
BY_TRUTH = 'o: str = result.url if result else "none"'
LINES = [line for text in [*ACCEPTED, *REFUSED, BY_TRUTH] for line in text.split("\n")]


def mypy_lines(program: Path) -> set[int]:
    """Return the lines of a program that `mypy --strict` refuses."""
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", program.name]
    done = subprocess.run(
        command,
        cwd=program.parent,
        env={"MYPYPATH": str(SOURCE), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    errors = [line.split(":") for line in done.stdout.splitlines() if ": error:" in line]
    return {int(line) for file, line, *_ in errors if file == program.name}


def pyright_lines(program: Path) -> set[int]:
    """Return the lines of a program that pyright refuses, in its usual mode."""
    script = ROOT / "node_modules" / "pyright" / "index.js"
    node = shutil.which("node")
    if node is None or not script.is_file():
        pytest.skip("pyright is missing: run npm ci")
    config = {"include": [program.name], "extraPaths": [str(SOURCE)], "pythonVersion": "3.10"}
    (program.parent / "pyrightconfig.json").write_text(json.dumps(config))
    command = [node, str(script), "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=program.parent, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)["generalDiagnostics"]
    return {each["range"]["start"]["line"] + 1 for each in found if each["severity"] == "error"}


CHECKERS: dict[str, Callable[[Path], set[int]]] = {"mypy": mypy_lines, "pyright": pyright_lines}


@pytest.fixture(scope="module", params=CHECKERS)
def refused(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the lines of a program with all of them that a type checker refuses."""
    program = tmp_path_factory.mktemp("types") / "program.py"
    program.write_text(HEAD + "".join(f"{text}\n" for text in LINES))
    pytest.importorskip("polars")
    numbers = CHECKERS[request.param](program)
    lines = {(HEAD.splitlines() + LINES)[number - 1] for number in numbers}
    assert (BY_TRUTH in lines) == (request.param == "mypy")
    return lines


@pytest.mark.parametrize("text", ACCEPTED)
def test_a_type_checker_takes(text: str, refused: set[str]) -> None:
    assert [line for line in text.split("\n") if line in refused] == []


@pytest.mark.parametrize("text", REFUSED)
def test_a_type_checker_refuses(text: str, refused: set[str]) -> None:
    assert text in refused


def test_the_types_have_all_options() -> None:
    for_all = {*get_type_hints(NormalizerOptions), "preset"}
    assert for_all == set(OPTION_NAMES)
    assert set(get_type_hints(SiteOptions)) == set(SITE_OPTIONS)


def test_the_help_of_a_normalizer_lists_all_options() -> None:
    listed = (Normalizer.__doc__ or "").split("Options:")[1].split("\n\n")[0]
    assert sorted(listed.replace(".", "").replace(",", "").split()) == sorted(OPTION_NAMES)


def test_the_help_of_a_normalizer_says_what_each_option_does() -> None:
    text = pydoc.render_doc(Normalizer, renderer=pydoc.plaintext)
    for name in OPTION_NAMES:
        (sentence,) = re.findall(rf"^ \|\s+{name}: (.*)$", text, re.M)
        assert sentence[0].isupper(), name
    assert not re.search(r"`[a-z]+[A-Z]\w*`|`true`|Module", OPTION_TEXTS)


@pytest.mark.parametrize(
    "name", ["drop_params", "keep_params", "allowed_schemes", "directory_index"]
)
def test_sets_and_sequences_are_taken_as_lists_are(name: str) -> None:
    words = ["http", "https", "ftp", "c", "d", "e", "f"]
    plan = Normalizer(**{name: sorted(words)}).plan
    for given in (tuple(sorted(words)), set(words), frozenset(words), dict.fromkeys(words).keys()):
        options: dict[str, Any] = {name: given}
        assert Normalizer(**options).plan == plan
    assert Normalizer(**{name: deque(sorted(words))}).plan == plan
    if name != "allowed_schemes":
        sites: dict[str, Any] = {"a.org": {name: set(words)}}
        assert (
            Normalizer(sites=sites).plan == Normalizer(sites={"a.org": {name: sorted(words)}}).plan
        )
    for wrong in ("http", b"http", {"http": "x"}, {1}, [None], iter(words), 5):
        with pytest.raises(OptionError) as caught:
            Normalizer(**{name: wrong})
        assert caught.value.code == "BAD_OPTION"


def test_paths_of_rules_may_be_any_sequence(tmp_path: Path) -> None:
    (tmp_path / "rules.tsv").write_text("#urlmill-rules 1\na.org\t*\tdrop sid\n")
    assert Normalizer(rules=deque([tmp_path / "rules.tsv"])).normalize("http://a.org/?sid=1") == (
        "http://a.org/"
    )
    unordered: Any = {tmp_path / "rules.tsv"}
    with pytest.raises(OptionError, match="rules"):
        Normalizer(rules=unordered)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"preset": "crwal"}, "did you mean crawl?"),
        ({"drop_parms": []}, "did you mean drop_params?"),
        ({"www": "removed"}, "did you mean remove?"),
    ],
)
def test_what_is_misspelt_is_told(given: dict[str, Any], meant: str) -> None:
    with pytest.raises(OptionError) as caught:
        Normalizer(**given)
    assert meant in str(caught.value)


def test_normalizers_of_equal_options_are_equal() -> None:
    one, other = Normalizer("crawl", www="remove"), Normalizer(www="remove", preset="crawl")
    assert one == other
    assert len({one, other, Normalizer(plan=one.plan)}) == 1
    assert Normalizer("crawl") != one
    assert one != "crawl"


def literals() -> list[tuple[str, Any]]:
    hints = {**get_type_hints(NormalizerOptions), "preset": PresetName}
    return [
        (name, value)
        for name, hint in hints.items()
        for part in (hint, *get_args(hint))
        if str(part).startswith("typing.Literal")
        for value in get_args(part)
    ]


@pytest.mark.parametrize(("name", "value"), literals())
def test_each_value_of_a_type_is_taken(name: str, value: Any) -> None:
    for other in (value, "no such value"):
        given: dict[str, Any] = {name: other}
        if other == value:
            Normalizer(**given)
            continue
        with pytest.raises(OptionError):
            Normalizer(**given)
