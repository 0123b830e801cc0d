"""Writes the URLs of aliases as options and rules do (src/compile/normalize-aliases.ts)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from .any_params import base_of_any, with_any
from .number_range import range_in, split_number, write_range
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
    one URL the first stays, by the bytes of its site and URL. Ranges whose ends are no longer two
    URLs of one shape with these numbers are left out, and those for any other parameters if no path,
    or no path and one parameter, stays.
    """
    given = [
        alias
        for site in sorted(aliases)
        for alias in sorted(aliases[site], key=lambda alias: alias.source)
    ]
    urls = [alias.site + url for alias in given for url in _urls_of(alias)]
    places = iter(_places(urls, plan, normalize_urls))
    normalized: dict[_Place, PageAlias] = {}
    for alias in given:
        source = _source(alias.source, places)
        target = next(places)
        if source is None or target is None or source.site != target.site:
            continue
        if not _has(source.target, target.target) and source not in normalized:
            normalized[source] = PageAlias(source.site, source.target, target.target, alias.level)
    by_site: dict[str, list[PageAlias]] = {}
    for alias in normalized.values():
        by_site.setdefault(alias.site, []).append(alias)
    return by_site


def _urls_of(alias: PageAlias) -> list[str]:
    """Return the URL of an alias, the ends of its range or what ``<*>`` follows, then the target."""
    found = range_in(alias.source)
    if found is None:
        return [base_of_any(alias.source) or alias.source, alias.target]
    return [*(found.with_number(n) for n in found[1:]), alias.target]


def _source(source: str, places: Iterator[_Place | None]) -> _Place | None:
    """What becomes of the URL of an alias, of its range, or of any other parameters; takes the places."""
    found, base = range_in(source), base_of_any(source)
    if found is None:
        place = next(places)
        return place if base is None or place is None else _any(base, place)
    ends = [(next(places), number) for number in found[1:]]
    shapes = set()
    for place, number in ends:
        split = None if place is None else split_number(place.target)
        if place is None or split is None or split[1] != number:
            return None
        shapes.add(_Place(place.site, split[0]))
    site, shape = shapes.pop()
    return None if shapes else _Place(site, write_range(found._replace(shape=shape)))


def _any(base: str, place: _Place) -> _Place | None:
    """Return the URL before ``?<*>`` or ``&<*>`` with it again."""
    source = with_any(place.target)
    is_like = ("?" in place.target) == ("?" in base) and base_of_any(source) is not None
    return _Place(place.site, source) if is_like else None


def _has(source: str, url: str) -> bool:
    """Whether the URL of an alias, or its range, has another URL."""
    found, other = range_in(source), split_number(url)
    if found is None or other is None or found.shape != other[0]:
        return source == url
    return found.first <= other[1] <= found.last


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
