"""Files of aliases."""

from __future__ import annotations

from collections.abc import Sequence

from ..hosts import NormalHost
from ..rules.action import site_name
from ..rules.texts import bad_rule, check_target
from ..source_lines import Place, Source, data_lines, wrong_line
from ..tables import ALIASES_HEADER, EVIDENCE_LEVELS
from .page_alias import PageAlias

_COLUMNS = "an alias is site, URL, target and perhaps evidence, with a TAB between"


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
            reason = f"{alias.source} is already in {where}; keep one of the two lines"
            raise wrong_line(sources, place, reason)
        placed.append((alias, place))
    for alias, place in placed:
        following = places.get((alias.site, alias.target))
        if following is not None:
            where = _shown(sources, following, place)
            reason = (
                f"the target {alias.target} is itself an alias, in {where}; "
                "name the page that the last alias leads to"
            )
            raise wrong_line(sources, place, reason)
    return [alias for alias, _ in placed]


def _shown(sources: Sequence[Source], other: Place, place: Place) -> str:
    """Names the line of a place, and its file if that is another one than the reader looks at."""
    file = "" if other.file == place.file else f" of {sources[other.file].name}"
    return f"line {other.line}{file}"


def _parse_line(line: str, known_sites: set[str], normal_host: NormalHost) -> PageAlias:
    columns = line.split("\t")
    if len(columns) not in (3, 4):
        raise bad_rule(_COLUMNS)
    site, source, target, *evidence = columns
    if site not in known_sites:
        site_name(site, normal_host)
    for url in (source, target):
        check_target(url, "a URL of an alias")
    if source == target:
        raise bad_rule(f"{source} is its own target; remove the line")
    return PageAlias(site, source, target, _level(*evidence))


def _level(text: str = "") -> str | None:
    if text == "":
        return None
    if text not in EVIDENCE_LEVELS:
        raise bad_rule(f'"{text}" is not a level of evidence: {", ".join(EVIDENCE_LEVELS)}')
    return text
