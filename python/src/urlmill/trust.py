"""What files of rules tell a crawl: which URLs a fetched page is, and which URLs need not be fetched."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta, timezone
from math import inf
from typing import Any
from urllib.parse import unquote

from ._errors import OptionError
from ._html import head_of, parse_html
from ._normalizer import Normalizer
from ._options import normal_host_of
from ._options.rules.rule_file import parse_crawl_line
from ._options.rules.skip_line import Skip
from ._options.rules.trust_line import Trust
from ._options.source_lines import data_lines, read_sources
from ._options.tables import RULES_HEADER, TRUST

_MOST_LINKS = 1000
"""Limits the self links of a page, and what `same_as` returns."""
_LONGEST_FRAGMENT = 64
_HEX, _DIGITS = re.compile("[0-9A-Fa-f]{16,}"), re.compile("[0-9]+")
_SCRIPT = re.compile(TRUST["script"], re.ASCII | re.IGNORECASE)
_LONGEST_BASE = 1 << 13
"""Limits the base of self links, in characters, because each link gets its path: servers take no longer URLs."""
_LINK = re.compile(r'<([^<>]*)>([^<>,"]*(?:"[^"]*"[^<>,"]*)*)')
_RELATION = re.compile(r';\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))', re.IGNORECASE)
_LINKED = ("canonical", "shortlink")
_DECLARED = (*_LINKED, "og", "contentLocation", "hreflang")


class PageTrust:
    r"""Tells which URLs a page that was just fetched says it is. A crawler adds them to its set.

    It believes only shapes of statements that a file of rules trusts, and only URLs of the page's own host: 1,000 a
    page at most. Whoever writes a page can forge links of a trusted shape. With `trust=False`, nothing is believed.

    >>> file = "#urlmill-rules 1\na.org\t/t ?p\ttrust self #p<N>\n"
    >>> said = {"self": ["/t?p=7#p7", "/admin#p7"]}
    >>> PageTrust(file).same_as("http://a.org/topic/1", said)
    ['http://a.org/t?p=7']
    """

    def __init__(
        self,
        rules: "str | os.PathLike[str] | Iterable[os.PathLike[str]]",
        *,
        trust: bool = True,
    ) -> None:
        """Take the text of a file of rules, a path or paths. Raise `OptionError` for what is not one."""
        given: Any = rules if isinstance(rules, (str, os.PathLike)) else list(rules)
        self._normalizer = Normalizer("safe")
        Normalizer(rules=given)  # checks the rules of the file
        self._sites: dict[str, dict[str, float]] = {}
        for line in _crawl_lines(given) if trust else ():
            if not isinstance(line, Trust):
                continue
            own = self._sites.setdefault(line.site, {})
            id_ = f"{line.statement} {line.shape}"
            own[id_] = max(line.fewest if line.is_trusted else inf, own.get(id_, 1))

    def same_as(self, url: str, page: "str | Mapping[str, Any]", link: str = "") -> list[str]:
        """Return other URLs of the page at `url`, in normal form and without fragments.

        `url` is the page's, after redirects. `page` is its HTML, or what it states: `canonical`, `shortlink`, `og`,
        `contentLocation`, `hreflang`, and `self`, a list. `link` is the header `Link`. No other header is read with
        HTML: give `contentLocation` among what the page states. Call it only for pages: not for errors. Raises
        `UrlError` for a `url` without a normal form, and `PackageMissingError` if `page` is HTML and lxml is not
        installed.
        """
        normal = self._normalizer.normalize(url)
        own = _split(normal)
        trusted = self._sites.get(own[0])
        if trusted is None:
            return []
        said = self._read(page, url, link) if isinstance(page, str) else page
        by_shape: dict[str, dict[str, None]] = {}
        for kind, other in self._stated(said, normal):
            site, target = _split(other)
            if site == own[0] and target != own[1]:
                shape = _known_shape(target, kind, other, trusted)
                if shape is not None:
                    by_shape.setdefault(shape, {})[other.partition("#")[0]] = None
        found = [urls for shape, urls in by_shape.items() if len(urls) >= trusted[shape]]
        return list(dict.fromkeys(url for urls in found for url in urls))[:_MOST_LINKS]

    def _stated(self, said: Mapping[str, Any], base: str) -> Iterator[tuple[str, str]]:
        """Yield the kind and the normal form of each statement."""
        given = [(kind, said.get(kind)) for kind in _DECLARED]
        given += [("self", text) for text in [*(said.get("self") or ())][:_MOST_LINKS]]
        given = [(kind, text) for kind, text in given if text]
        urls = self._normalizer.normalize_batch([text for _, text in given], base).values
        return ((kind, url) for (kind, _), url in zip(given, urls, strict=True) if url)

    def _read(self, html: str, url: str, link: str) -> dict[str, Any]:
        """Read what HTML states, as the function `declarations` of the package for Node does."""
        said: dict[str, Any] = {}
        root, head = parse_html(html), parse_html(head_of(html))
        first = [] if root is None else root.xpath("//base/@href")[:1]
        base = self._normalizer.try_normalize(first[0], url).url if first else None
        for kind, path in _HEAD.items():
            named = [] if head is None else [text for text in head.xpath(path) if text.strip()]
            linked = _link_with(kind, link) if kind in _LINKED else ""
            text, used = (named[0], base or url) if named else (linked, url)
            said[kind] = self._normalizer.try_normalize(text, used).url if text else None
        if root is not None:
            said["self"] = self._self_links(root, url, base or url)
        return said

    def _self_links(self, root: Any, page: str, base: str) -> list[str]:
        """Return the links to other URLs of the host of `page` whose fragment is an anchor of the page."""
        if len(base) > _LONGEST_BASE:
            return []
        anchors = {*root.xpath("//@id"), *root.xpath("//a/@name")} - {""}
        hrefs = root.xpath("//*[self::a or self::area]/@href[contains(., '#')]")
        links = [
            href
            for href in dict.fromkeys(hrefs)
            if _has_anchor(href.partition("#")[2].rstrip(), anchors)
        ]
        own = _split(self._normalizer.try_normalize(page).url or "")
        found: dict[str, None] = {}
        for start in range(0, len(links), _MOST_LINKS):
            some = links[start : start + _MOST_LINKS]
            for url in self._normalizer.normalize_batch(some, base).values:
                site, target = _split(url or "")
                if url is not None and site == own[0] and target != own[1]:
                    found[url] = None
            if len(found) >= _MOST_LINKS:
                break
        return list(found)


_REASONS = ("noindex", "exhausted")
_NOWHERE = ".urlmill.invalid"
"""Ends the hosts to which rules move URLs to skip, so that the kernel finds them. No such host exists (RFC 6761)."""
_FNV_PRIME, _FNV_START = 0x01000193, 0x811C9DC5


class SkipFilter:
    r"""Tells which URLs a crawl need not fetch, by the lines with `noindex` and `exhausted` in a file of rules.

    Only the reasons that are given count, and lines of exhausted patterns for `days` days. Of an exhausted pattern, one
    URL in twenty passes, by a hash of the URL.

    >>> rules = SkipFilter("#urlmill-rules 1\na.org\t/print/...\tnoindex\n", ["noindex"])
    >>> rules.why("http://a.org/print/7"), rules.why("http://a.org/7")
    ('noindex', None)
    """

    def __init__(
        self,
        rules: "str | os.PathLike[str] | Iterable[os.PathLike[str]]",
        reasons: Iterable[str],
        *,
        days: int = 7,
        today: "date | None" = None,
    ) -> None:
        """Take the text of a file of rules, a path or paths. Raise `OptionError` for what is not one."""
        given: Any = rules if isinstance(rules, (str, os.PathLike)) else list(rules)
        Normalizer(rules=given)  # checks the rules of the file
        first = ((today or datetime.now(timezone.utc).date()) - timedelta(days)).isoformat()
        wanted = sorted(set(reasons), reverse=True)  # noindex comes first
        for reason in wanted:
            if reason not in _REASONS:
                raise OptionError("BAD_OPTION", f'"{reason}" is not a reason: noindex or exhausted')
        lines = [line for line in _crawl_lines(given) if isinstance(line, Skip)]
        moves = [
            f"{site}\t{condition}\thost {site} => {why}{_NOWHERE}\n"
            for reason in wanted
            for site, condition, why, day in lines
            if why == reason and (day is None or day >= first) and _NOWHERE not in site
        ]
        self._normalizer = Normalizer("safe", rules=f"{RULES_HEADER}\n{''.join(moves)}")

    def why(self, url: str) -> "str | None":
        """Return why a URL need not be fetched, or None. Give the normalized URL, to which the rules were applied."""
        moved = self._normalizer.try_normalize(url).url
        site = "" if moved in (None, url) else _split(moved or "")[0]
        reason = site.partition(":")[0].removesuffix(_NOWHERE)
        if reason not in _REASONS:
            return None
        return None if reason == "exhausted" and _hash(url) % 20 == 0 else reason


def _hash(text: str) -> int:
    """Return the FNV-1a hash of a text in ASCII, as Node does."""
    value = _FNV_START
    for byte in text.encode():
        value = (value ^ byte) * _FNV_PRIME & 0xFFFFFFFF
    return value


def _crawl_lines(rules: Any) -> "Iterator[Trust | Skip]":
    normalizer = Normalizer("safe")
    normal_host = normal_host_of(lambda text: normalizer.try_normalize(text).url)
    sources = read_sources(rules, "rules")
    lines = data_lines(
        sources, RULES_HEADER, "rules", lambda line, _: parse_crawl_line(line, normal_host)
    )
    return (line for line, _ in lines if line is not None)


def _lower(text: str) -> str:
    return f"translate({text}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')"


def _links(relation: str, test: str = "") -> str:
    words = f"concat(' ', normalize-space({_lower('@rel')}), ' ')"
    return f"//link[contains({words}, ' {relation} ')]{test}/@href"


_HEAD = {
    **{kind: _links(kind) for kind in _LINKED},
    "hreflang": _links(
        "alternate", f"[/html/@lang != '' and {_lower('@hreflang')} = {_lower('/html/@lang')}]"
    ),
    "og": "//meta[normalize-space(translate(@property, 'OGURL', 'ogurl')) = 'og:url']/@content",
}


def _has_anchor(fragment: str, anchors: set[str]) -> bool:
    return fragment in anchors or unquote(fragment, errors="replace") in anchors


def _known_shape(target: str, kind: str, url: str, trusted: Mapping[str, float]) -> str | None:
    """Return the shape of a statement that the rules know: the narrow one, else the wide one."""
    if kind != "self":
        return f"{kind} *" if f"{kind} *" in trusted else None
    fragment = _with_classes(url.partition("#")[2][:_LONGEST_FRAGMENT])
    path, _, query = target.partition("?")
    names = {_with_classes(text.partition("=")[0]) for text in re.split("[&;]", query)}
    rest = f" ?{'&'.join(sorted(names))}" if query and names != {""} else ""
    ids = [f"self #{fragment} {shape}{rest}" for shape in (_with_classes(path), _depth(path))]
    return next((id_ for id_ in ids if id_ in trusted), None)


def _depth(path: str) -> str:
    *above, last = path.split("/")
    extension = last.rpartition(".")
    keeps = last == "" or (extension[1] == "." and _SCRIPT.fullmatch(extension[2]))
    return "/".join(["", *["*"] * (len(above) - 1), last if keeps else "*"])


def _with_classes(text: str) -> str:
    return _DIGITS.sub("<N>", _HEX.sub("<H>", text))


def _split(url: str) -> tuple[str, str]:
    """Return the site of a normalized URL, and its path and query; ("", "") for other schemes."""
    scheme, _, rest = url.partition("://")
    if scheme not in ("http", "https"):
        return "", ""
    authority, slash, target = rest.partition("#")[0].partition("/")
    return authority.rpartition("@")[2], slash + target


def _link_with(relation: str, header: str) -> str:
    for target, params in _LINK.findall(header[: 1 << 14]):
        found = _RELATION.search(params)
        if target and found and relation in (found[1] or found[2] or "").lower().split():
            return str(target)
    return ""
