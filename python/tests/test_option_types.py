"""What type checkers say of options. The types come from the catalog of the Node package."""

from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from urlmill import Normalizer, NormalizerOptions, OptionError, PresetName, SiteOptions
from urlmill._options.tables import OPTION_NAMES, SITE_OPTIONS

HEAD = "from urlmill import Normalizer, NormalizerOptions, SeenSet\n"
ACCEPTED = [
    'Normalizer(preset="crawl", www="remove", www_digits=True, max_length=9)',
    'Normalizer("safe", drop_params=["ref"], keep_params=("id",), directory_index=True)',
    'Normalizer(directory_index="keep", host_aliases={"a": "b"}, rules="rules.tsv")',
    'Normalizer(sites={"a.org": {"preset": "crawl", "www": "remove"}})',
    'options: NormalizerOptions = {"sort_query": "name"}\nSeenSet("crawl", bits=64, **options)',
]
REFUSED = [
    'Normalizer(preset="crawll")',
    'Normalizer(wwww="remove")',
    'Normalizer(www="removed")',
    "Normalizer(max_length='9')",
    'Normalizer(drop_params="ref")',
    'Normalizer(sites={"a.org": {"rules": "x"}})',
    'SeenSet(preset="crawll")',
    'options: NormalizerOptions = {"sortQuery": "name"}',
]


@pytest.fixture(scope="module")
def refused_lines(tmp_path_factory: pytest.TempPathFactory) -> set[int]:
    """Return the lines of a program with all of them that mypy refuses, from 1 on."""
    api = pytest.importorskip("mypy.api")
    program = tmp_path_factory.mktemp("types") / "program.py"
    program.write_text(HEAD + "".join(f"{text}\n" for text in LINES))
    config = Path(__file__).parents[1] / "pyproject.toml"
    out, err, _ = api.run(["--config-file", str(config), "--no-error-summary", str(program)])
    assert err == ""
    places = [line.split(":", 2) for line in out.splitlines() if ": error:" in line]
    return {int(place[1]) for place in places if place[0].endswith("program.py")}


LINES = [line for text in ACCEPTED + REFUSED for line in text.split("\n")]


@pytest.mark.parametrize("text", ACCEPTED)
def test_a_type_checker_takes(text: str, refused_lines: set[int]) -> None:
    assert [LINES.index(line) + 2 in refused_lines for line in text.split("\n")].count(True) == 0


@pytest.mark.parametrize("text", REFUSED)
def test_a_type_checker_refuses(text: str, refused_lines: set[int]) -> None:
    assert LINES.index(text) + 2 in refused_lines


def test_the_types_have_all_options() -> None:
    for_all = {*get_type_hints(NormalizerOptions), "preset"}
    assert for_all == set(OPTION_NAMES)
    assert set(get_type_hints(SiteOptions)) == set(SITE_OPTIONS)


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
