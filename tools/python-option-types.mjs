// Makes the types of options for the Python package: what a value may be, as _options/checks.py checks it.

/** Python has the WebAssembly engine alone, and takes no module. */
const ENGINES = ["auto", "wasm"];

const TYPES = {
  bytes: "int",
  names: "list[str] | tuple[str, ...]",
  fileNames: 'Literal["keep", True] | list[str] | tuple[str, ...]',
  pairs: "Mapping[str, str]",
  sites: 'Mapping[str, "SiteOptions"]',
  text: '"str | PathLike[str] | list[PathLike[str]] | tuple[PathLike[str], ...]"',
};

/**
 * Returns the text of python/src/urlmill/_option_types.py. `options`: what options.json has of the options, whose names are in
 * snake_case.
 */
export function pythonOptionTypes({ names, choices, listed, kinds, forSites }) {
  const values = { ...choices, ...listed, engine: ENGINES };
  const typeOf = (name) =>
    values[name] === undefined ? TYPES[kinds[name]] : typeOfAll(values[name]);
  const member = (name) => `    ${name}: ${typeOf(name)}\n`;
  const all = names.filter((name) => name !== "preset");
  const [ofSites, others] = [true, false].map((isForSites) =>
    all
      .filter((name) => forSites.includes(name) === isForSites)
      .map(member)
      .join(""),
  );
  return `"""Types of options. Written by tools/write-python-options.mjs from src/options/catalog.ts: edit that file."""

from collections.abc import Mapping
from os import PathLike
from typing import Literal, TypedDict

PresetName = ${typeOf("preset")}
"""Names a preset."""


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
