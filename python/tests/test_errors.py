"""Errors, and what other libraries make of them."""

import pickle

import pytest

from urlmill import BatchError, KernelError, Normalizer, OptionError, SeenError, UrlError


@pytest.mark.parametrize(
    "error",
    [
        UrlError("BAD_PORT", 9, "http://a:b/"),
        OptionError("BAD_RULES", "line 1: it has no action"),
        BatchError("BAD_COLUMN", "a column of int64 is not text: cast it to string"),
        KernelError("ENGINE_UNAVAILABLE", "no memory"),
        SeenError("SET_FULL", "it is full"),
    ],
)
def test_an_error_can_be_made_of_its_text(error):
    again = type(error)(f"{error}\n\nin the expression x")
    assert again.code == error.code
    assert str(again) == f"{error}\n\nin the expression x"
    for copy in (pickle.loads(pickle.dumps(error)), pickle.loads(pickle.dumps(again))):
        assert (type(copy), copy.code) == (type(error), error.code)
    assert str(pickle.loads(pickle.dumps(again))) == str(again)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (OptionError, "BAD_OPTION"),
        (BatchError, "BAD_INPUT"),
        (KernelError, "ENGINE_FAILED"),
        (SeenError, "SEEN_FAILED"),
    ],
)
def test_a_text_without_a_code_gets_the_code_of_its_class(kind, code):
    assert kind("no code: here").code == code
    assert kind("no code: here").message == "no code: here"


def test_results_of_batches_are_named_tuples():
    n = Normalizer()
    values, status = n.normalize_batch(["http://a"])
    assert n.normalize_batch(["http://a"]) == (values, status) == (["http://a/"], b"\x01")
    assert n.normalize_batch(["http://a"])._asdict() == {"values": values, "status": status}
    assert n.surt_batch(["http://a"])[0] == ["a)/"]
    keys = n.fingerprint_batch(["http://a"])
    assert keys == n.fingerprint_batch(["http://a/"])._replace(status=b"\x01")
    assert isinstance(keys, tuple)
