"""Errors, and what other libraries make of them."""

import os
import pickle
import subprocess
import sys

import pytest

from urlmill import (
    BatchError,
    KernelError,
    Normalizer,
    OptionError,
    PackageMissingError,
    SeenError,
    UrlError,
)


@pytest.mark.parametrize(
    "error",
    [
        UrlError("BAD_PORT", 9, "http://a:b/"),
        OptionError("BAD_RULES", "line 1: it has no action"),
        BatchError("BAD_COLUMN", "a column of int64 is not text: cast it to string"),
        KernelError("ENGINE_UNAVAILABLE", "no memory"),
        SeenError("SET_FULL", "it is full"),
        PackageMissingError("PACKAGE_MISSING", "this needs the package pyarrow"),
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
        (PackageMissingError, "PACKAGE_MISSING"),
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


@pytest.mark.parametrize(
    ("extra", "call"),
    [
        ("polars", "import polars; Normalizer().normalize_batch(polars.Series(['http://a']))"),
        ("duckdb", "import duckdb, urlmill.duckdb; urlmill.duckdb.register(duckdb.connect())"),
    ],
)
def test_without_pyarrow_an_error_names_the_extra_to_install(extra, call):
    pytest.importorskip(extra)
    # With None there, an import fails as it does where the package is not installed.
    program = f"import sys; sys.modules['pyarrow'] = None\nfrom urlmill import Normalizer\n{call}"
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.stderr.splitlines()[-1] == (
        "urlmill._errors.PackageMissingError: PACKAGE_MISSING: "
        f"this needs the package pyarrow: pip install 'urlmill[{extra}]'"
    )
