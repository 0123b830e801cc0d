"""What the fingerprints of a set were made with, as src/seen/contract/identity.ts writes it."""

import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .._errors import SeenError
from .._kernel import KEY_BYTES
from .._normalizer import Normalizer

_BITS = 128
"""Bits of a fingerprint, of which a set on disk keeps 80."""


@dataclass(frozen=True)
class Identity:
    """Holds profile, key and options. Options have the names of Node, which opens the same sets."""

    profile_id: str
    key: bytes
    options: Mapping[str, Any]

    @classmethod
    def of(cls, normalizer: Normalizer, key: "bytes | None") -> "Identity":
        """Return the identity of a new set for the URLs of a normalizer."""
        made = secrets.token_bytes(KEY_BYTES) if key is None else bytes(key)
        return cls(normalizer.profile_id, made, _options_of(normalizer))

    @classmethod
    def decode(cls, text: str, where: str) -> "Identity":
        """Read what `encode` wrote. Raise `SEEN_CORRUPT` for any other text."""
        try:
            read = json.loads(text)
            key, options = read["key"], read["options"]
            is_identity = isinstance(read["profileId"], str) and read["bits"] == _BITS
            is_flat = isinstance(options, dict) and not _is_deep(options, _LEVELS)
            if is_identity and re.fullmatch("[0-9a-f]{32}", key) and is_flat:
                return cls(read["profileId"], bytes.fromhex(key), options)
        except (ValueError, TypeError, KeyError, RecursionError):
            pass  # reported below
        raise SeenError("SEEN_CORRUPT", f"{where} does not say what it was made with")

    def encode(self) -> str:
        """Write it as JSON. It holds the key: who can read it can make two URLs collide."""
        made = {"profileId": self.profile_id, "key": self.key.hex(), "bits": _BITS}
        return json.dumps({**made, "options": self.options}, separators=(",", ":"))

    def check(self, wanted: "Identity", is_key_wanted: bool, where: str) -> None:
        """Raise `SEEN_MISMATCH` if a set was made with other options or another key than wanted."""
        if self.profile_id != wanted.profile_id:
            differences = "; ".join(self._differences(wanted.options))
            how = (
                f"with other options: {differences}. Open it with its options, or make another set"
            )
            if not differences:
                how = "by a version of urlmill that normalizes differently"
            raise SeenError("SEEN_MISMATCH", f"{where} was written {how}")
        if is_key_wanted and self.key != wanted.key:
            raise SeenError("SEEN_MISMATCH", f"{where} was written under another key")

    def _differences(self, wanted: Mapping[str, Any]) -> list[str]:
        made = self.options
        return [
            f"{name} was {_shown(made, name)} and is {_shown(wanted, name)}"
            for name in dict.fromkeys([*made, *wanted])
            if _shown(made, name) != _shown(wanted, name)
        ]


def _options_of(normalizer: Normalizer) -> dict[str, Any]:
    """Return the options of a normalizer as Node names them, with digests for the texts of files."""
    from .._options.options_in_node import options_in_node

    if normalizer.preset is None:
        from hashlib import sha256

        return {"plan": f"sha256:{sha256(normalizer.plan).hexdigest()}"}
    return options_in_node({"preset": normalizer.preset, **normalizer.options})


_LEVELS = 16
"""The most levels of options: no call that walks through them runs out of stack."""


def _is_deep(value: Any, levels: int) -> bool:
    if not isinstance(value, (dict, list)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deep(each, levels - 1) for each in inner)


def _shown(options: Mapping[str, Any], name: str) -> str:
    if name not in options:
        return "not set"
    return json.dumps(options[name], separators=(",", ":"), ensure_ascii=False)
