"""The steps of options, one at a time: the kernel runs plans in which a single option is left."""

import struct
from collections.abc import Iterator

from .._kernel import Kernel
from .._options.tables import (
    CHOICES,
    DEFAULT_SCHEMES,
    ENTRY,
    HEADER,
    LARGEST_MAX_LENGTH,
    LISTED,
    PROFILE,
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
    "repeatedParams": ("param_case",),
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
_PIECEWISE = ("defaultParams", "emptyValues")
"""Options that look at each parameter as `valuelessParams` would leave it."""

_ORDER: tuple[tuple[tuple[str, ...], tuple[str, ...], bool], ...] = (
    (("hostAliases", "trailingDot", "www"), ("host",), True),
    (("scheme",), ("scheme", "port"), False),
    (("explicitPort",), ("port",), False),
    (("userinfo",), ("userinfo",), False),
    (("sessionIds", "case", "duplicateSlashes"), ("path",), False),
    (("directoryIndex", "trailingSlash"), ("path",), True),
    (
        (
            "sessionIds",
            "case",
            "keepParams",
            "dropParams",
            "trackingParams",
            "defaultParams",
            "emptyParams",
            "emptyValues",
            "repeatedParams",
            "valuelessParams",
            "sortQuery",
            "emptyQuery",
        ),
        ("query",),
        False,
    ),
    (("fragment", "trackingParams"), ("fragment",), False),
)
"""The options by the parts of a URL that they change. If one of the first and sixth did something, they begin again."""


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
        words = self._only("")
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
        for steps, fields, begins_again in _ORDER:
            acting = [step for step in steps if self._acts(step)]
            at = 0
            while at < len(acting):
                changed = self._after(acting[at], parts, fields)
                if changed == parts:
                    at += 1
                    continue
                yield acting[at], "".join(changed)
                parts = changed
                at = 0 if begins_again else at + 1

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
        place = _PLACES[name]
        return self._words[profile + PROFILE["CHOICES"] + (place >> 2)] & 0xFF << 8 * (place & 3)

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
        if step in _PIECEWISE and after.query:
            left = set(after.query[1:].split("&"))
            pieces = parts.query[1:].split("&")
            kept = [piece for piece in pieces if piece in left or f"{piece}=" in left]
            after = after._replace(query=f"?{'&'.join(kept)}")
        return parts._replace(**{field: getattr(after, field) for field in fields})

    def _only(self, step: str) -> list[int]:
        """Return the words of a plan that has the option of one step, and no other."""
        words = list(self._words)
        for field in _OFF:
            if field != "ALIASES" or step != "hostAliases":
                words[HEADER[field]] = 0
        words[HEADER["MAX_LENGTH"]] = LARGEST_MAX_LENGTH
        names = (snake(step), *_BESIDE.get(step, ()))
        for profile in self._profiles:
            for word in range(PROFILE["CHOICE_WORDS"]):
                words[profile + PROFILE["CHOICES"] + word] = 0
            for name in names:
                if name in CHOICES:
                    place = profile + PROFILE["CHOICES"] + (_PLACES[name] >> 2)
                    words[place] |= self._choice(profile, name)
            for field in set(_TABLES.values()):
                if field != _TABLES.get(step):
                    words[profile + PROFILE[field]] = 0
            if step in _LISTED:
                for entry in self._entries(self._table(profile, step)):
                    if words[entry + ENTRY["VALUE"]] != _LISTED[step]:
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


_PLACES = {name: place for place, name in enumerate(CHOICES)}


def snake(name: str) -> str:
    """Return the name of an option in Python."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
