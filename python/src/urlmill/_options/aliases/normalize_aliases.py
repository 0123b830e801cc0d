"""Writes the URLs of aliases as options and rules do (src/compile/normalize-aliases.ts)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from .page_alias import PageAlias

#: Normalizes URLs under a plan; None for a URL with an error.
NormalizeUrls = Callable[[bytes, "list[str]"], "Sequence[str | None]"]


class _Place(NamedTuple):
    site: str
    target: str


def normalize_aliases(
    aliases: Mapping[str, Sequence[PageAlias]], plan: bytes, normalize_urls: NormalizeUrls
) -> dict[str, list[PageAlias]]:
    """Return aliases with their URLs as a plan writes them: an alias is looked up in that form.

    Those whose two URLs become one, or are of two sites then, are left out. Of several aliases of
    one URL the first stays, by the bytes of its site and URL.
    """
    given = [
        alias
        for site in sorted(aliases)
        for alias in sorted(aliases[site], key=lambda alias: alias.source)
    ]
    urls = [alias.site + url for alias in given for url in (alias.source, alias.target)]
    places = _places(urls, plan, normalize_urls)
    normalized: dict[_Place, PageAlias] = {}
    for alias, source, target in zip(given, places[::2], places[1::2], strict=True):
        if source is None or target is None or source.site != target.site:
            continue
        if source.target != target.target and source not in normalized:
            normalized[source] = PageAlias(source.site, source.target, target.target, alias.level)
    by_site: dict[str, list[PageAlias]] = {}
    for alias in normalized.values():
        by_site.setdefault(alias.site, []).append(alias)
    return by_site


def _places(urls: list[str], plan: bytes, normalize_urls: NormalizeUrls) -> list[_Place | None]:
    """What becomes of URLs without their scheme: with http, or with https where http is an error."""
    written = list(normalize_urls(plan, [f"http://{url}" for url in urls]))
    failed = [row for row, url in enumerate(written) if url is None]
    again = normalize_urls(plan, [f"https://{urls[row]}" for row in failed]) if failed else []
    for row, url in zip(failed, again, strict=True):
        written[row] = url
    return [None if url is None else _place(url) for url in written]


def _place(url: str) -> _Place:
    authority, slash, target = url.partition("://")[2].partition("/")
    return _Place(authority.rpartition("@")[2], slash + target)
