"""Finds rules that move hosts in a circle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..messages import says
from ..source_lines import Place
from .rule import Rule


@dataclass(frozen=True)
class _Move:
    to: str
    place: Place


@dataclass
class _Visit:
    site: str
    #: The place that led here.
    place: Place
    #: How many of its moves have been followed.
    followed: int = 0


def find_host_circle(placed: Sequence[tuple[Rule, Place]]) -> tuple[Place, str] | None:
    """Return the last place of the first circle and why it is one; None if hosts settle.

    Takes time linear in the number of rules.
    """
    moves: dict[str, list[_Move]] = {}
    for rule, place in placed:
        if rule.action.kind == "host":
            moves.setdefault(rule.site, []).append(_Move(rule.action.text, place))
    settled: set[str] = set()
    for start in moves:
        circle = None if start in settled else _find_circle(start, moves, settled)
        if circle is not None:
            return circle
    return None


def _find_circle(
    start: str, moves: Mapping[str, Sequence[_Move]], settled: set[str]
) -> tuple[Place, str] | None:
    path = [_Visit(start, Place(0, 0))]
    on_path = {start}
    while path:
        visit = path[-1]
        known = moves.get(visit.site, ())
        move = known[visit.followed] if visit.followed < len(known) else None
        visit.followed += 1
        if move is None:
            settled.add(visit.site)
            on_path.remove(visit.site)
            path.pop()
        elif move.to in on_path:
            first = next(place for place, seen in enumerate(path) if seen.site == move.to)
            circle = path[first:]
            hosts = " > ".join([*(seen.site for seen in circle), move.to])
            last = max([*(seen.place for seen in circle[1:]), move.place])
            return last, says("host_circle", hosts)
        elif move.to not in settled:
            on_path.add(move.to)
            path.append(_Visit(move.to, move.place))
    return None
