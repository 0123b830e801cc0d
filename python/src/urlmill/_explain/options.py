"""The steps of options, one at a time: the kernel runs plans in which a single option is left."""

import re
import struct
from collections.abc import Iterator, Mapping, Sequence

from .._kernel import Kernel
from .._options.tables import (
    CHOICE_BITS,
    CHOICES,
    DEFAULT_SCHEMES,
    ENTRY,
    HEADER,
    LARGEST_MAX_LENGTH,
    LISTED,
    PROFILE,
    STAGES,
    TABLE,
)
from .._status import Status
from .parts import Parts, split_parts

_TABLES = {
    "keepParams": "KEEP_PARAMS",
    "dropParams": "DROP_PARAMS",
    "defaultParams": "DEFAULT_PARAMS",
    "directoryIndex": "DIRECTORY_INDEX",
    "sessionIds": "LISTED_PARAMS",
    "trackingParams": "LISTED_PARAMS",
}
_LISTED = {"sessionIds": LISTED["SESSION"], "trackingParams": LISTED["TRACKING"]}
_BESIDE = {
    "www": ("www_digits",),
    "repeatedParams": ("param_case", "valueless_params"),
    "defaultParams": ("valueless_params",),
    "emptyValues": ("valueless_params",),
}
"""Choices that say how an option works."""
_OFF = (
    "DEFAULT_SCHEME",
    "SCHEMES",
    "ALIASES",
    "SITE_RULES",
    "ANY_RULES",
    "RULE_FILTER",
    "PAGE_ALIASES",
)
"""What of a plan is not an option of a profile."""
_CHANGED: Mapping[str, tuple[str, ...]] = {
    "host": ("host",),
    "scheme": ("scheme", "port"),
    "port": ("port",),
    "userinfo": ("userinfo",),
    "path": ("path",),
    "pathEnd": ("path",),
    "params": ("query",),
    "query": ("query",),
    "fragment": ("fragment",),
    "keptFragment": ("fragment",),
}
"""The parts of a URL that each stage of options changes."""
_BEGINS_AGAIN = ("host", "pathEnd")
"""Stages whose steps begin again after one that changed the URL."""

_SESSIONS = re.compile(r"(?:;jsessionid=[^;/?]*)+$")


class PlanSteps:
    """Runs parts of a plan. One call may use it, and one thread."""

    def __init__(self, plan: bytes) -> None:
        self._words: tuple[int, ...] = struct.unpack(f"<{len(plan) // 4}I", plan)
        self._kernel = Kernel(plan)
        entries = self._entries(self._words[HEADER["SITES"]])
        values = [self._words[entry + ENTRY["VALUE"]] for entry in entries]
        self._profiles = [at // 4 for at in {self._words[HEADER["PROFILE"]], *values}]

    def _entries(self, table: int) -> list[int]:
        """Return the places of the entries of a table, in words."""
        if table == 0:
            return []
        start = table // 4 + TABLE["WORDS"]
        slots = self._words[start : start + self._words[table // 4 + TABLE["MASK"]] + 1]
        return [slot // 4 for slot in slots if slot != 0]

    @property
    def default_scheme(self) -> str | None:
        """Return the scheme that input without one gets."""
        number = self._words[HEADER["DEFAULT_SCHEME"]]
        return DEFAULT_SCHEMES[number - 1] if number > 0 else None

    def read(self, text: str, base: bytes = b"", *, with_scheme: bool = False) -> str | None:
        """Return a URL in normal form before options; None for what is not a URL."""
        words = self._only()
        if with_scheme:
            words[HEADER["DEFAULT_SCHEME"]] = self._words[HEADER["DEFAULT_SCHEME"]]
        return self._run(words, text, base)

    def before_aliases(self, text: str, base: bytes) -> str | None:
        """Return the result of the plan without aliases of pages."""
        words = list(self._words)
        words[HEADER["PAGE_ALIASES"]] = 0
        if words[HEADER["SITE_RULES"]] == 0 and words[HEADER["ANY_RULES"]] == 0:
            words[HEADER["RULE_FILTER"]] = 0
        return self._run(words, text, base)

    def changes(self, url: str) -> Iterator[tuple[str, str]]:
        """Return each option that changes a normalized URL, in their order, with the URL after it."""
        parts = split_parts(url)
        for stage, steps in STAGES.items():
            acting = [step for step in steps if self._acts(step)]
            given, at = parts, 0
            while at < len(acting):
                if stage == "params" and parts.query:
                    # Each step sees what those before it see, as a `;` may begin another parameter.
                    changed = parts._replace(query=self._left(acting[: at + 1], given))
                    if not self._leads_to(acting, changed, given):
                        changed = parts
                else:
                    changed = self._after(acting[at], parts, _CHANGED[stage])
                if changed == parts:
                    at += 1
                    continue
                yield acting[at], "".join(changed)
                parts = changed
                at = 0 if stage in _BEGINS_AGAIN else at + 1

    def _acts(self, step: str) -> bool:
        """Say whether any profile has the option of a step."""
        if step == "hostAliases":
            return self._words[HEADER["ALIASES"]] != 0
        return any(
            self._choice(profile, snake(step)) != 0 or self._table(profile, step) != 0
            for profile in self._profiles
        )

    def _choice(self, profile: int, name: str) -> int:
        """Return the choice of a profile in its place in a word."""
        if name not in CHOICES:
            return 0
        word, bit = CHOICE_BITS[name]
        return self._words[profile + word] & 0xF << bit

    def _table(self, profile: int, step: str) -> int:
        return self._words[profile + PROFILE[_TABLES[step]]] if step in _TABLES else 0

    def _after(self, step: str, parts: Parts, fields: tuple[str, ...]) -> Parts:
        """Return the parts after a step, which changes these fields alone."""
        written = self._run(self._only(step), "".join(parts))
        if written is None:
            return parts
        after = split_parts(written)
        if step == "www" and len(after.host) < len(parts.host):
            # The kernel goes on to the next `www.`, and an alias may come first.
            after = after._replace(host=parts.host.split(".", 1)[1])
        return parts._replace(**{field: getattr(after, field) for field in fields})

    def _left(self, steps: Sequence[str], parts: Parts) -> str:
        """Return what steps that drop parameters leave of a query."""
        written = self._run(self._only(*steps), "".join(parts))
        query = parts.query if written is None else split_parts(written).query
        if not query or not any("valueless_params" in _BESIDE.get(step, ()) for step in steps):
            return query
        left, given = query[1:].split("&"), parts.query[1:].split("&")
        twice = "".join(parts._replace(query="?a=1&a=2", fragment=""))
        if str(self._run(self._only("repeatedParams"), twice)).endswith("?a=2"):
            # The last of equal names stays.
            return f"?{'&'.join(_without_added(left[::-1], given[::-1])[::-1])}"
        return f"?{'&'.join(_without_added(left, given))}"

    def _leads_to(self, steps: Sequence[str], left: Parts, given: Parts) -> bool:
        """Say whether these steps make the same of what some of them left as of what was given.

        Another `CFID` may be dropped because `CFTOKEN` was there.
        """
        is_plain = ";" not in given.query or left == given
        return is_plain or self._left(steps, left) == self._left(steps, given)

    def _only(self, *steps: str) -> list[int]:
        """Return the words of a plan that has the options of some steps, and no other."""
        words = list(self._words)
        for field in _OFF:
            if field != "ALIASES" or "hostAliases" not in steps:
                words[HEADER[field]] = 0
        words[HEADER["MAX_LENGTH"]] = LARGEST_MAX_LENGTH
        names = {name for step in steps for name in (snake(step), *_BESIDE.get(step, ()))}
        tables = {_TABLES[step] for step in steps if step in _TABLES}
        listed = {_LISTED[step] for step in steps if step in _LISTED}
        for profile in self._profiles:
            for word in range(PROFILE["CHOICE_WORDS"]):
                words[profile + PROFILE["CHOICES"] + word] = 0
            for name in names:
                if name in CHOICES:
                    words[profile + CHOICE_BITS[name][0]] |= self._choice(profile, name)
            for field in set(_TABLES.values()) - tables:
                words[profile + PROFILE[field]] = 0
            if listed:
                for entry in self._entries(self._words[profile + PROFILE["LISTED_PARAMS"]]):
                    if words[entry + ENTRY["VALUE"]] not in listed:
                        words[entry + ENTRY["VALUE"]] = 0
        return words

    def _run(self, words: "list[int]", text: str, base: bytes = b"") -> str | None:
        kernel = self._kernel
        kernel.load_plan(struct.pack(f"<{len(words)}I", *words))
        kernel.set_base(base)
        code = kernel.normalize(text.encode("latin-1"))
        if code == Status.UNCHANGED:
            return text
        return kernel.url() if code == Status.CHANGED else None


def _without_added(left: Sequence[str], given: Sequence[str]) -> list[str]:
    """Return what is left of parameters, without the `=` that was added to those that had none."""
    pieces = iter(given)
    return [_as_given(param, pieces) for param in left]


def _as_given(param: str, pieces: Iterator[str]) -> str:
    """Find the piece whose end a parameter is, in any case, and without session ids."""
    text = param.lower()
    for piece in map(str.lower, pieces):
        if piece and "=" not in piece and f"{piece}=" == text:
            return param[:-1]
        if any(f";{each}".endswith(f";{text}") for each in (piece, _SESSIONS.sub("", piece))):
            return param
    return param


def snake(name: str) -> str:
    """Return the name of an option in Python."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
