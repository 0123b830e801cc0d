"""Files of aliases."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..hosts import NormalHost
from ..messages import bad_rule, says
from ..rules.action import site_name
from ..rules.texts import check_target
from ..source_lines import Place, Source, data_lines, wrong_line
from ..tables import ALIASES_HEADER, EVIDENCE_LEVELS, level_named
from .any_params import base_of_any, find_any, marked_base
from .number_range import NumberRange, find_range, range_in
from .page_alias import PageAlias

#: The ranges of a site by their shapes, with their lines.
Ranges = dict[str, list[tuple[NumberRange, Place]]]


def parse_aliases(sources: Sequence[Source], normal_host: NormalHost) -> list[PageAlias]:
    """Read aliases in their order; raise ``BAD_RULES``, which names the first wrong line and why.

    A URL that has two lines is refused, and a target that is an alias itself.
    """
    placed: list[tuple[PageAlias, Place]] = []
    places: dict[tuple[str, str], Place] = {}
    ranges: dict[str, Ranges] = {}
    any_params: dict[str, dict[str, tuple[str, Place]]] = {}
    known_sites: set[str] = set()

    def parse(line: str, _file: int) -> PageAlias:
        alias = _parse_line(line, known_sites, normal_host)
        known_sites.add(alias.site)
        return alias

    for alias, place in data_lines(sources, ALIASES_HEADER, "aliases", parse):
        other = places.setdefault((alias.site, alias.source), place)
        if other is not place:
            where = _shown(sources, other, place)
            raise wrong_line(sources, place, says("alias_twice", alias.source, where))
        found = range_in(alias.source)
        if found is not None:
            own = ranges.setdefault(alias.site, {})
            own.setdefault(found.shape, []).append((found, place))
        base = base_of_any(alias.source)
        if base is not None:
            any_params.setdefault(alias.site, {})[marked_base(base)] = (alias.target, place)
        placed.append((alias, place))
    overlaps = _overlaps_of([alike for own in ranges.values() for alike in own.values()])
    for alias, place in placed:
        own = ranges.get(alias.site, {})
        shared = overlaps.get(place) or find_range(own, alias.source)
        if shared is not None:
            where = _shown(sources, shared, place)
            raise wrong_line(sources, place, says("alias_overlap", alias.source, where))
        following = places.get((alias.site, alias.target)) or find_range(own, alias.target)
        of_any = find_any(any_params.get(alias.site, {}), alias.target)
        if following is None and of_any is not None and of_any[0] != alias.target:
            following = of_any[1]
        if following is not None:
            where = _shown(sources, following, place)
            raise wrong_line(sources, place, says("alias_of_alias", alias.target, where))
    return [alias for alias, _ in placed]


def _overlaps_of(shapes: Sequence[list[tuple[NumberRange, Place]]]) -> dict[Place, Place]:
    """Sort ranges of each shape; return places of those that have a number of another one."""
    overlaps: dict[Place, Place] = {}
    for ranges in shapes:
        ranges.sort(key=lambda each: each[0].first)
        for (before, place), (after, following) in pairwise(ranges):
            if after.first <= before.last:
                overlaps[max(place, following)] = min(place, following)
    return overlaps


def _shown(sources: Sequence[Source], other: Place, place: Place) -> str:
    """The number of another line, and its file if that is another one than the reader looks at."""
    file = "" if other.file == place.file else f" of {sources[other.file].name}"
    return f"{other.line}{file}"


def _parse_line(line: str, known_sites: set[str], normal_host: NormalHost) -> PageAlias:
    columns = line.split("\t")
    if len(columns) not in (3, 4):
        raise bad_rule("alias_columns")
    site, source, target, *evidence = columns
    if site not in known_sites:
        site_name(site, normal_host)
    for url in (*_urls_of(source), target):
        check_target(url, says("alias_url"))
    if source == target:
        raise bad_rule("alias_of_itself", source)
    return PageAlias(site, source, target, _level(*evidence))


def _urls_of(source: str) -> list[str]:
    """Return the URL of an alias, the two at the ends of its range, or what its ``<*>`` follows."""
    base = base_of_any(source)
    if base is not None:
        return [base]
    found = range_in(source)
    if "<" in source if found is None else found.first >= found.last:
        raise bad_rule("alias_range", source)
    return [source] if found is None else [found.with_number(n) for n in found[1:]]


def _level(text: str = "") -> str | None:
    if text == "":
        return None
    level = level_named(text)
    if level is None:
        raise bad_rule("level", text, ", ".join(EVIDENCE_LEVELS))
    return level
