"""Files of aliases."""

from __future__ import annotations

from collections.abc import Sequence

from ..hosts import NormalHost
from ..messages import bad_rule, says
from ..rules.action import site_name
from ..rules.texts import check_target
from ..source_lines import Place, Source, data_lines, wrong_line
from ..tables import ALIASES_HEADER, EVIDENCE_LEVELS, level_named
from .page_alias import PageAlias


def parse_aliases(sources: Sequence[Source], normal_host: NormalHost) -> list[PageAlias]:
    """Read aliases in their order; raise ``BAD_RULES``, which names the first wrong line and why.

    A URL that has two lines is refused, and a target that is an alias itself.
    """
    placed: list[tuple[PageAlias, Place]] = []
    places: dict[tuple[str, str], Place] = {}
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
        placed.append((alias, place))
    for alias, place in placed:
        following = places.get((alias.site, alias.target))
        if following is not None:
            where = _shown(sources, following, place)
            raise wrong_line(sources, place, says("alias_of_alias", alias.target, where))
    return [alias for alias, _ in placed]


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
    for url in (source, target):
        check_target(url, says("alias_url"))
    if source == target:
        raise bad_rule("alias_of_itself", source)
    return PageAlias(site, source, target, _level(*evidence))


def _level(text: str = "") -> str | None:
    if text == "":
        return None
    level = level_named(text)
    if level is None:
        raise bad_rule("level", text, ", ".join(EVIDENCE_LEVELS))
    return level
