// Makes the types of options for the Python package: what a value may be, as _options/checks.py checks it.

/** Python has the WebAssembly engine alone, and takes no module. */
const ENGINES = ["auto", "wasm"];

const TYPES = {
  bytes: "int",
  // mypy finds a number in a list that is written in the call only if the type names lists.
  names: '"list[str] | NameSequence | Set[str]"',
  fileNames: "\"Literal['keep', True] | list[str] | NameSequence | Set[str]\"",
  pairs: "Mapping[str, str]",
  sites: 'Mapping[str, "SiteOptions"]',
  text: '"str | PathLike[str] | Sequence[PathLike[str]]"',
};

/**
 * Returns the text of python/src/urlmill/_option_types.py. `options`: what options.json has of the options, whose names are in
 * snake_case. `texts`: what each option does.
 */
export function pythonOptionTypes({ names, choices, listed, kinds, forSites }, texts) {
  const values = { ...choices, ...listed, engine: ENGINES };
  const typeOf = (name) =>
    values[name] === undefined ? TYPES[kinds[name]] : typeOfAll(values[name]);
  const member = (name) =>
    `    ${name}: ${typeOf(name)}\n${wrapped(`"""${texts[name]}"""`, "    ")}\n`;
  const all = names.filter((name) => name !== "preset");
  const [ofSites, others] = [true, false].map((isForSites) =>
    all
      .filter((name) => forSites.includes(name) === isForSites)
      .map(member)
      .join(""),
  );
  return `"""Types of options. Written by tools/write-python-options.mjs from src/options/catalog.ts: edit that file."""

from collections.abc import Iterator, Mapping, Sequence, Set
from os import PathLike
from typing import Any, Literal, Protocol, SupportsIndex, TypedDict

PresetName = ${typeOf("preset")}
"""Names a preset."""

OPTION_TEXTS = """\
${names.map((name) => wrapped(`${name}: ${firstSentence(texts[name])}`, "", "    ")).join("\n")}
"""
"""What each option does, in a sentence."""


class NameSequence(Protocol):
    """Is a list, a tuple or another sequence of texts. A text is not: it finds only texts in itself."""

    def __getitem__(self, index: SupportsIndex, /) -> str: ...
    def __contains__(self, value: object, /) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __reversed__(self) -> Iterator[str]: ...
    def index(self, value: Any, /) -> int: ...
    def count(self, value: Any, /) -> int: ...


class _HostOptions(TypedDict, total=False):
    """Holds the options that can be set for all hosts or for one."""

${ofSites}

class SiteOptions(_HostOptions, total=False):
    """Holds the options of one site, for the option \`sites\`."""

    preset: PresetName


class NormalizerOptions(_HostOptions, total=False):
    """Holds the options of a \`Normalizer\` besides its preset, as docs/options.md describes them.

    >>> options: NormalizerOptions = {"www": "remove", "drop_params": ["ref"]}
    """

${others}`;
}

/** Returns the type that has these values, all of them texts or all of them booleans. */
function typeOfAll(values) {
  return values.every((value) => typeof value === "boolean")
    ? "bool"
    : `Literal[${values.map((value) => JSON.stringify(value)).join(", ")}]`;
}

const WIDTH = 120;

/** Returns a text in lines that begin with `indent`, and those after the first with `more`. */
function wrapped(text, indent, more = indent) {
  const lines = [indent];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    const isFirst = line.trim() === "";
    if (!isFirst && line.length + 1 + word.length > WIDTH) lines.push(more + word);
    else lines[lines.length - 1] = isFirst ? line + word : `${line} ${word}`;
  }
  return lines.join("\n");
}

const firstSentence = (text) => text.split(/(?<=[.;]) (?=[A-Z])/)[0];
