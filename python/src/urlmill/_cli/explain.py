"""The command `urlmill explain`: each step that changes a URL, as src/cli/explain.ts writes it, without colors."""

import os
import re
from collections.abc import Iterator
from typing import Any

from .._explain.parts import split_parts
from .._normalizer import Normalizer
from .._options.tables import STEP_TEXTS
from .._results import Explanation
from .._status import MEANINGS, Status
from .messages import json_line, visible
from .verdict import verdict

_WIDTH = 79
"""The longest line, for terminals."""


def explained(
    normalizer: Normalizer, urls: list[str], flags: dict[str, Any]
) -> Iterator[tuple[str, bool]]:
    """Return what is written of each URL, and whether it is one. Of two URLs, say whether they have one key."""
    # As Node reads arguments: bytes that are not UTF-8 are replaced.
    texts = [os.fsencode(given).decode("utf-8", "replace") for given in urls]
    keys, as_json = [], "json" in flags
    for url in texts:
        explanation = normalizer.explain(url, flags.get("base"))
        keys.append(explanation.url)
        yield (_json if as_json else _shown)(url, explanation), explanation.error is None
    if len(texts) == 2:
        yield verdict(texts, keys, as_json), True


def _json(url: str, explanation: Explanation) -> str:
    steps = [step._asdict() for step in explanation.steps]
    return json_line({"input": url, **explanation._asdict(), "steps": steps})


def _shown(url: str, explanation: Explanation) -> str:
    lines = [visible(url)]
    if explanation.error is not None:
        before = url.encode()[: explanation.offset].decode("utf-8", "replace")
        lines.append(re.sub(r"[^\t]", " ", visible(before)) + "^")
        says = meaning_in_flags(Status[explanation.error])
        lines.append(f"{explanation.error}: {says}, at byte {explanation.offset}")
    elif not explanation.steps:
        lines.append("  is in normal form")
    width = max((len(step.step) for step in explanation.steps), default=0)
    indent = " " * (width + 4)
    for step in explanation.steps:
        lines.append(f"  {step.step.ljust(width)}  {visible(step.after)}")
        lines += _wrapped(f"{indent}{STEP_TEXTS[step.step]}: ", step.reference, len(indent))
    if explanation.url is not None:
        if explanation.steps:
            lines.append(visible(explanation.url))
        host = split_parts(explanation.url).host
        if _read_host(host) != host:
            lines.append(f"  reads {visible(_read_host(host))}")
    return "\n".join(lines) + "\n\n"


def meaning_in_flags(code: Status) -> str:
    """Return what an error of a URL means, with flags in place of options."""
    named = r"(?:the option )?\b([a-z]+_[a-z]+)"
    meaning = MEANINGS[code].replace("base or default scheme", "--base or --default-scheme")
    return re.sub(named, lambda found: f"--{found[1].replace('_', '-')}", meaning)


def _wrapped(text: str, reference: str, indent: int) -> list[str]:
    """Wrap a text and its reference, but neither the command nor the section of a standard in it."""
    rest = text + re.sub(r" (?!\()", "\u00a0", reference)
    lines = []
    while len(rest) > _WIDTH:
        space = rest.rfind(" ", 0, _WIDTH + 1)
        cut = space if space > indent else rest.find(" ", _WIDTH)
        if cut < 0:
            break
        lines.append(rest[:cut].rstrip(" "))
        rest = " " * indent + rest[cut + 1 :]
    return [line.replace("\u00a0", " ") for line in [*lines, rest]]


def _read_host(host: str) -> str:
    """Return a host for people: each `xn--` label as the characters that it encodes, if it is valid."""
    return ".".join(map(_read_label, host.split(".")))


def _read_label(label: str) -> str:
    if not label.startswith("xn--") or not Normalizer().try_normalize(f"http://{label}./"):
        return label
    return label[4:].encode().decode("punycode")
