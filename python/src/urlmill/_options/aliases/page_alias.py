"""Two URLs of one site that have one page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PageAlias:
    """Says that the URL ``source`` has the page of ``target``; both are path and query.

    A range such as ``<12..34>`` in place of the last number of ``source`` stands for all its URLs.
    ``?<*>`` after a path stands for any query or none, and ``&<*>`` after a path and one parameter for
    that parameter and any others or none, in any order; the target stays.
    """

    #: The host, with ``:port`` if the URL has one.
    site: str
    source: str
    target: str
    #: The level of its evidence; None for an alias that somebody wrote.
    level: str | None = None
