"""Plans that Python compiles are those of the TypeScript package, byte for byte."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from small_kernel import normalize_urls, small_normalizer

from urlmill._errors import OptionError
from urlmill._options import NormalHost, compile_plan, normal_host_of, profile_id
from urlmill._options.tables import MESSAGES

IS_LONG = os.environ.get("URLMILL_LONG") == "1"
SETS = 10_000 if IS_LONG else 500
SEED = int(os.environ.get("URLMILL_FUZZ_SEED", "1"))


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def in_snake_case(options: Any) -> Any:
    """Renames options, also those of sites, and nothing that is data."""
    if not isinstance(options, dict):
        return options
    renamed = {snake(name): value for name, value in options.items()}
    sites = renamed.get("sites")
    if isinstance(sites, dict):
        renamed["sites"] = {pattern: in_snake_case(site) for pattern, site in sites.items()}
    return renamed


@pytest.fixture(scope="module")
def normal_host() -> NormalHost:
    def no_host(host: str) -> str | None:
        raise AssertionError(f"preset safe names no host, not {host}")

    return normal_host_of(small_normalizer(compile_plan({}, no_host)))


@pytest.fixture(scope="module")
def option_sets(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node, which compiles the plans to compare with, is not on the path")
    file = tmp_path_factory.mktemp("options") / "sets.jsonl"
    script = Path(__file__).with_name("write_option_sets.mjs")
    subprocess.run([node, str(script), str(SETS), str(SEED), str(file)], check=True)
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def answer(options: Mapping[str, object], normal_host: NormalHost) -> dict[str, str]:
    try:
        plan = compile_plan(options, normal_host, normalize_urls)
    except OptionError as error:
        return {"code": error.code, "message": error.message}
    return {"plan": base64.b64encode(plan).decode(), "profileId": profile_id(plan)}


def reason(message: str) -> str:
    """What a message says, where Python says it in its own words."""
    says = re.sub(r"\]\.(\w+)", r']["\1"]', message.partition(" not JSON:")[0])
    for node, python in [("an object that ", "a dict that "), (", wasm, js", ", wasm")]:
        says = says.replace(node, python)
    for only_python in (", or paths of such files", ", or a pathlib.Path"):
        says = says.removesuffix(only_python)
    return says.replace("_", "").lower()


def differences(sets: list[dict[str, Any]], normal_host: NormalHost) -> Iterator[tuple[Any, ...]]:
    for each in sets:
        options = in_snake_case(each["options"])
        found = answer(options, normal_host)
        expected = {name: value for name, value in each.items() if name != "options"}
        messages = found.get("message", ""), expected.get("message", "")
        if {**found, "message": ""} != {**expected, "message": ""}:
            yield options, *messages
        elif reason(messages[0]) != reason(messages[1]):
            yield messages


def test_plans_profile_ids_and_errors_are_those_of_node(
    option_sets: list[dict[str, Any]], normal_host: NormalHost
) -> None:
    refused = sum("code" in each for each in option_sets)
    planned = [each for each in option_sets if "plan" in each]
    with_rules = sum("rules" in each["options"] for each in planned)
    # The sets that are not random are refused for the most part, so plans are counted, not shares.
    assert refused > SETS / 10
    assert len(option_sets) - refused > SETS / 2
    assert with_rules > SETS / 10
    exceptions = ["\tnot\t" in each["options"].get("rules", "") for each in planned]
    assert sum(exceptions) > SETS / 30
    assert next(differences(option_sets, normal_host), None) is None


def test_each_message_that_python_takes_from_the_sources_is_compared(
    option_sets: list[dict[str, Any]],
) -> None:
    of_node = "\n".join(each.get("message", "") for each in option_sets)
    missing = [
        name
        for name, message in MESSAGES.items()
        if re.search(re.sub(r"\\{\d\\}", ".*", re.escape(message)), of_node) is None
    ]
    assert missing == ["max_exceptions"]  # it takes a million of them
