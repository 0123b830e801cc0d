"""Messages of errors, which are written in the TypeScript sources alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from urlmill import Normalizer, OptionError, _options
from urlmill._options.messages import says
from urlmill._options.tables import MESSAGES, OPTION_NAMES

_CODE = "".join(file.read_text() for file in Path(str(_options.__file__)).parent.rglob("*.py"))


def test_each_message_that_is_read_from_the_sources_is_used() -> None:
    assert set(MESSAGES) - set(re.findall(r'"(\w+)"', _CODE)) == set()


def test_each_name_of_a_message_has_one() -> None:
    assert set(re.findall(r'\b(?:says|bad_rule)\(\s*"(\w+)"', _CODE)) - set(MESSAGES) == set()


def test_a_message_shows_values_that_look_like_its_places() -> None:
    assert says("one_target", "{1}", "{0}") == "one target, not {1} and {0}"


def test_no_message_names_an_option_as_node_does() -> None:
    in_node = {re.sub("_([a-z])", lambda letter: letter[1].upper(), name) for name in OPTION_NAMES}
    names = re.compile(rf"\b({'|'.join(in_node - set(OPTION_NAMES))})\b")
    assert [message for message in MESSAGES.values() if names.search(message)] == []


def test_an_error_of_options_shows_the_call_and_nothing_of_its_search() -> None:
    with pytest.raises(OptionError, match="allowed_schemes allows: http") as caught:
        Normalizer(scheme="https", allowed_schemes=["http"])
    assert len(caught.traceback) == 2
    with pytest.raises(OptionError) as caught:
        Normalizer(rules="no header")
    assert (len(caught.traceback), caught.value.__cause__) == (2, None)
