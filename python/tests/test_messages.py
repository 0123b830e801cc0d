"""Messages of errors, which are written in the TypeScript sources alone."""

from __future__ import annotations

import re
from pathlib import Path

from urlmill import _options
from urlmill._options.messages import says
from urlmill._options.tables import MESSAGES

_CODE = "".join(file.read_text() for file in Path(str(_options.__file__)).parent.rglob("*.py"))


def test_each_message_that_is_read_from_the_sources_is_used() -> None:
    assert set(MESSAGES) - set(re.findall(r'"(\w+)"', _CODE)) == set()


def test_each_name_of_a_message_has_one() -> None:
    assert set(re.findall(r'\b(?:says|bad_rule)\(\s*"(\w+)"', _CODE)) - set(MESSAGES) == set()


def test_a_message_shows_values_that_look_like_its_places() -> None:
    assert says("one_target", "{1}", "{0}") == "one target, not {1} and {0}"
