"""International hosts, compared with a second implementation of UTS #46: `idna`, on the tables of `unicodedata2`."""

from collections.abc import Callable
from typing import Any

import pytest

from urlmill import Normalizer
from urlmill._options.tables import UNICODE_VERSION

idna: Any = pytest.importorskip("idna")
unicodedata2: Any = pytest.importorskip("unicodedata2")

FORBIDDEN = {*map(chr, range(0x21)), *"#%/:<>?@[\\]^|\x7f"}
"""The forbidden domain code points of the URL Standard."""

HOSTS: dict[str, Callable[[str], str]] = {
    "alone": lambda c: f"{c}.x",
    "between Latin letters": lambda c: f"a{c}b.x",
    "at the end of a Bidi domain": lambda c: f"\u05d0.a{c}",
    "between Hebrew letters": lambda c: f"\u05d0{c}\u05d0",
    "between joined letters": lambda c: f"\u0628{c}\u200c\u0628",
    "before a non-joiner": lambda c: f"{c}\u200c\u0628",
    "after a non-joiner": lambda c: f"\u0628\u200c{c}",
    "before a joiner": lambda c: f"a{c}\u200d",
    "before a mark of class 202": lambda c: f"a{c}\u0327",
    "after a mark of class 232": lambda c: f"a\u0315{c}",
}


def by_idna(domain: str) -> str | None:
    """Return what "domain to ASCII" of the URL Standard gives by `idna`; None if it refuses the domain."""
    try:
        labels = idna.uts46_remap(domain, std3_rules=False).split(".")
        is_bidi = any(unicodedata2.bidirectional(c) in ("R", "AL", "AN") for c in "".join(labels))
        for label in filter(None, labels):
            check(label, is_bidi)
    except idna.IDNAError:
        return None
    if any(FORBIDDEN.intersection(label) for label in labels):
        return None
    return ".".join(
        label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in labels
    )


def check(label: str, is_bidi: bool) -> None:
    """Raise an `IDNAError` if a label is not valid; CheckHyphens is false."""
    idna.core.check_nfc(label)
    idna.core.check_initial_combiner(label)
    for at, character in enumerate(label):
        if character in "\u200c\u200d" and not idna.core.valid_contextj(label, at):
            raise idna.IDNAError("a joiner")
    if is_bidi:
        idna.core.check_bidi(label, check_ltr=True)


def test_the_second_implementation_has_the_tables_of_this_version() -> None:
    assert idna.idnadata.__version__ == UNICODE_VERSION
    assert unicodedata2.unidata_version == UNICODE_VERSION


@pytest.mark.parametrize("place", HOSTS)
def test_each_code_point_gives_the_host_that_idna_gives(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idna.core, "unicodedata", unicodedata2)
    characters = map(chr, range(0x80, 0x110000))
    named = [c for c in characters if unicodedata2.category(c) not in ("Cn", "Co", "Cs")]
    domains = [HOSTS[place](c) for c in named]
    found = Normalizer().normalize_batch([f"http://{domain}/" for domain in domains]).values
    expected = [by_idna(domain) for domain in domains]
    wrong = [
        (ascii(domain), host, url)
        for domain, host, url in zip(domains, expected, found, strict=True)
        if url != (None if host is None else f"http://{host}/")
    ]
    assert wrong[:5] == []
    assert any(expected)
