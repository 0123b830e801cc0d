"""What the compiler takes from the TypeScript build, read from ``_data/options.json``.

The file is written by ``npm run build`` (tools/write-python-options.mjs). Nothing of it is listed
a second time in Python.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .._data_files import read_data

_DATA: Any = json.loads(read_data("options.json"))
_OPTIONS = _DATA["options"]
_LISTS = _DATA["lists"]
_PLAN = _DATA["plan"]
_RULES = _DATA["rules"]

#: The values of each option that is a plain choice, in the order of their numbers.
CHOICES: Mapping[str, tuple[str | bool, ...]] = {
    name: tuple(values) for name, values in _OPTIONS["choices"].items()
}
#: The names of all steps, in their order, by which the kernel numbers them.
STEP_NAMES: tuple[str, ...] = tuple(_DATA["steps"])
#: What each step does, in a few words.
STEP_TEXTS: Mapping[str, str] = _DATA["steps"]
#: The steps of options by the stage in which they apply, in their order.
STAGES: Mapping[str, list[str]] = _DATA["stages"]
#: The options that each preset sets.
PRESETS: Mapping[str, Mapping[str, object]] = _OPTIONS["presets"]
#: The values of each other option that takes one of a few.
OPTION_VALUES: Mapping[str, tuple[str, ...]] = {
    name: tuple(values) for name, values in _OPTIONS["listed"].items()
}
#: The schemes that ``default_scheme`` can name, in the order of their numbers.
DEFAULT_SCHEMES: tuple[str, ...] = OPTION_VALUES["default_scheme"]
#: The kind of value that each option takes that is not one of a few.
KINDS: Mapping[str, str] = _OPTIONS["kinds"]
#: The options that a site can have for itself.
SITE_OPTIONS: tuple[str, ...] = tuple(_OPTIONS["forSites"])
#: The options of names that options had, and the values of names that values had.
FORMER_NAMES: Mapping[str, str] = _OPTIONS["formerNames"]
FORMER_VALUES: Mapping[str, Mapping[str, str]] = _OPTIONS["formerValues"]
#: All levels of evidence, the strongest first.
EVIDENCE_LEVELS: tuple[str, ...] = tuple(_OPTIONS["evidenceLevels"])
#: ``max_length`` where no option sets it, in bytes.
DEFAULT_MAX_LENGTH: int = _OPTIONS["defaultMaxLength"]
#: The most that ``max_length`` can be, in bytes.
LARGEST_MAX_LENGTH: int = _OPTIONS["largestMaxLength"]
#: The most elements of a pattern, and pieces of a template.
LONGEST_PATTERN: int = _OPTIONS["longestPattern"]
#: The commands of Node, and the flags of all of them.
NODE_WORDS: frozenset[str] = frozenset(_DATA["command"]["ofNode"])
#: Each flag of an option, and what it does.
OPTION_HELP: tuple[tuple[str, str], ...] = tuple(map(tuple, _DATA["command"]["help"]))
#: The names of all options.
OPTION_NAMES: tuple[str, ...] = tuple(_OPTIONS["names"])
#: What each option that is not a plain choice expects, as errors say it.
EXPECTED: Mapping[str, str] = _OPTIONS["expected"]
#: What errors say, with ``{0}``, ``{1}`` for what they show.
MESSAGES: Mapping[str, str] = _DATA["messages"]

#: Names of parameters that carry a session, as patterns.
SESSION_PARAMS: tuple[str, ...] = tuple(_LISTS["sessionParams"])
#: Names of parameters that mark a click or a campaign, as patterns.
TRACKING_PARAMS: tuple[str, ...] = tuple(_LISTS["trackingParams"])
#: File names that ``directory_index=True`` removes.
DIRECTORY_INDEX: tuple[str, ...] = tuple(_LISTS["directoryIndex"])
#: Domains below which a registry registers names of others.
SECOND_LEVELS: frozenset[str] = frozenset(_LISTS["secondLevels"])

#: The bytes that are written as themselves wherever they stand.
UNRESERVED: str = _DATA["bytes"]["unreserved"]
#: The bytes that stand for themselves in a path.
PATH_BYTES: str = _DATA["bytes"]["path"]
#: The bytes that stand for themselves in the query of a special scheme.
QUERY_BYTES: str = _DATA["bytes"]["query"]
#: The bytes that stand for themselves in a fragment, and in the query of another scheme.
FRAGMENT_BYTES: str = _DATA["bytes"]["fragment"]

#: The version of the plan's layout.
PLAN_VERSION: int = _PLAN["version"]
#: The version of a plan with what rules of lists need.
LISTS_PLAN_VERSION: int = _PLAN["listsVersion"]
#: The version of plans with aliases for any other parameters.
ANY_PARAMS_PLAN_VERSION: int = _PLAN["anyParamsVersion"]
#: The version of plans with ``unwrap`` or aliases of first labels.
UNWRAP_PLAN_VERSION: int = _PLAN["unwrapVersion"]
#: The hash of no bytes (FNV-1a, 32 bits).
HASH_START: int = _PLAN["hashStart"]
#: Places of the header's fields, in words.
HEADER: Mapping[str, int] = _PLAN["header"]
#: Places of a profile's fields, in words.
PROFILE: Mapping[str, int] = _PLAN["profile"]
#: Where a profile has each choice, which is four bits: its word, and its lowest bit.
CHOICE_BITS: Mapping[str, tuple[int, int]] = _PLAN["choiceBits"]
#: Places of a table's fields, in words.
TABLE: Mapping[str, int] = _PLAN["table"]
#: Places of an entry's fields, in words.
ENTRY: Mapping[str, int] = _PLAN["entry"]
#: Numbers of what an entry means.
KIND: Mapping[str, int] = _PLAN["kind"]
#: Numbers of what a built-in name stands for.
LISTED: Mapping[str, int] = _PLAN["listed"]

#: Places of the fields of a table of URLs, in words.
URLS: Mapping[str, int] = _PLAN["urls"]

#: The first line of a file of rules.
RULES_HEADER: str = _RULES["header"]
#: What the line of an exception begins with.
EXCEPTION: str = _RULES["exception"]
#: The most exceptions of one rule.
MAX_EXCEPTIONS: int = _RULES["maxExceptions"]
#: What the line of URLs that a rule leaves alone begins with.
UNLESS: str = _RULES["unless"]
#: The most such lines of one rule.
MAX_UNLESS: int = _RULES["maxUnless"]
#: The number of the test that such URLs are in a plan.
UNLESS_TEST: int = _RULES["unlessTest"]
#: The actions that cannot have exceptions.
WITHOUT_EXCEPTIONS: tuple[str, ...] = tuple(_RULES["withoutExceptions"])
#: The first line of a file of aliases.
ALIASES_HEADER: str = _RULES["aliasesHeader"]
#: A pattern of the URL of an alias with a range of numbers.
RANGE: str = _RULES["range"]
#: What a plan has in place of any other parameters of an alias.
ANY_MARK: str = _RULES["anyMark"]
#: The site that stands for every site.
ANY_SITE: str = _RULES["anySite"]
#: What a domain begins with that stands for itself and its hosts.
DOMAIN: str = _RULES["domain"]
#: What stands for any bytes at one end of a name.
ANY_BYTES: str = _RULES["anyBytes"]
#: Patterns of lines of trust, and of the extension of a script.
TRUST: Mapping[str, str] = _RULES["trust"]
#: Patterns of lines of URLs to skip.
SKIP: Mapping[str, str] = _RULES["skip"]
#: The tests of parameters, in the order of their numbers.
TESTS: tuple[str, ...] = tuple(_RULES["tests"])
#: The actions of rules, in the order of their numbers.
ACTIONS: tuple[str, ...] = tuple(_RULES["actions"])
#: The elements of patterns, in the order of their numbers.
ELEMENTS: tuple[str, ...] = tuple(_RULES["elements"])
#: The elements that marks stand for, wherever a pattern can have them.
MARKS: Mapping[str, str] = _RULES["marks"]
#: The bytes that the run of a mark can have, as a regular expression of one of them.
RUNS: Mapping[str, str] = _RULES["runs"]
#: The fewest bytes that the capture of each element has.
SHORTEST: Mapping[str, int] = _RULES["shortest"]
#: The bit of a ``sub`` that matches in the path or in one parameter.
LOCAL: int = _RULES["local"]
#: The bit of a ``dropif`` whose value is a pattern.
VALUE_PATTERN: int = _RULES["valuePattern"]
#: The bit of an action that takes parameters between ``&`` alone.
WHOLE: int = _RULES["whole"]
#: The bits of what rules want to know of a URL.
FACT: Mapping[str, int] = _RULES["fact"]
#: Places of the bits of a URL that stand for something else than a parameter's name.
BIT: Mapping[str, int] = _RULES["bit"]

#: The version of the specification that results follow.
SPEC_VERSION: int = _DATA["specVersion"]
#: The version of the Unicode data that results follow.
UNICODE_VERSION: str = _DATA["unicodeVersion"]


def level_named(text: str) -> str | None:
    """The level of evidence of a text, or None. Older files have ``E0`` to ``E5``."""
    if len(text) == 2 and text[0] == "E" and text[1] in "012345":
        return [level for level in EVIDENCE_LEVELS if level != "list"][int(text[1])]
    return text if text in EVIDENCE_LEVELS else None
