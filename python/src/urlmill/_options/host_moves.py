"""Where host options move hosts, and whether each host comes to rest."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from .hosts import Alias, Site
from .messages import bad_option, says
from .profile import Profile
from .tables import SECOND_LEVELS
from .written import ends_in_number

#: What a site can set to move its own host.
_HOST_OPTIONS = ("trailing_dot", "www", "www_digits")

_WWW = re.compile(r"www[0-9]{0,3}\.")
_TWO_LABELS = re.compile(r"[^.]+\.[^.]")


class HostMoves:
    """The aliases and profiles that move hosts."""

    def __init__(self, everywhere: Profile, aliases: Sequence[Alias], sites: Sequence[Site]):
        self._everywhere = everywhere
        self._aliases = {
            alias.host: alias.target for alias in aliases if not alias.below and not alias.is_label
        }
        self._labels = {alias.host for alias in aliases if alias.is_label}
        self._domain_aliases = {alias.host: alias.target for alias in aliases if alias.below}
        self._sites = {site.host: site.profile for site in sites if not site.subdomains}
        self._domains = {site.host: site.profile for site in sites if site.subdomains}

    def alias_of(self, host: str) -> str | None:
        """Return the host to write instead by the most specific alias, if it is another one."""
        target = self._target_of(host)
        return None if target == host else target

    def _target_of(self, host: str) -> str | None:
        target = self._aliases.get(host)
        if target is None and self._domain_aliases:
            above = (self._domain_aliases.get(domain) for domain in _domains_above(host))
            target = next((found for found in above if found is not None), None)
        return target

    def _without_label(self, host: str) -> str | None:
        """Return a host without its first label, if that goes and more than a public second level remains."""
        label, _, rest = host.partition(".")
        if label not in self._labels or self._target_of(host) is not None:
            return None
        is_enough = _TWO_LABELS.match(rest) and rest.rstrip(".") not in SECOND_LEVELS
        return rest if is_enough else None

    def move(self, host: str) -> str | None:
        """Return where one option moves a host; None if it stays."""
        alias = self.alias_of(host)
        if alias is not None:
            return alias
        shorter = self._without_label(host)
        if shorter is not None:
            return shorter
        choices = self._profile_of(host).choices
        if choices["trailing_dot"] == "remove":
            moved = _without_final_dots(host)
            if moved != host:
                return moved
        if choices["www"] == "remove":
            return _without_www(host, choices["www_digits"] is True)
        return f"www.{host}" if choices["www"] == "add" and _can_gain_www(host) else None

    def last(self, host: str) -> str:
        """Return where a host that comes to rest stays."""
        while (moved := self.move(host)) is not None:
            host = moved
        return host

    def check_rest(self, start: str) -> None:
        """Raise ``BAD_OPTION`` for a host that never comes to rest."""
        path = {start: None}
        host = self.move(start)
        while host is not None:
            if host in path:
                raise bad_option("host_aliases", " > ".join([*path, host]), says("no_circle"))
            path[host] = None
            host = self.move(host)

    def _profile_of(self, host: str) -> Profile:
        exact = self._sites.get(host)
        if exact is not None:
            return exact
        if self._domains:
            for domain in chain([host], _domains_above(host)):
                found = self._domains.get(domain)
                if found is not None:
                    return found
        return self._everywhere


def check_host_options(
    everywhere: Profile, aliases: Sequence[Alias], sites: Sequence[Site]
) -> None:
    """Raise ``BAD_OPTION`` if a host never comes to rest, or if options are for hosts that never occur.

    Every cycle runs through a host that an alias or a pattern names, with or without its ``www.``.
    """
    _check_labels(everywhere, aliases, sites)
    moves = HostMoves(everywhere, aliases, sites)
    named = [host for alias in aliases if not alias.is_label for host in (alias.host, alias.target)]
    named += [site.host for site in sites]
    hosts = dict.fromkeys(
        other for host in named for other in (host, f"www.{host}", _without_start(host)) if other
    )
    for host in hosts:
        moves.check_rest(host)
    resting = {moves.last(host) for host in hosts}
    for site in sites:
        if site.subdomains:
            _check_domain(site.host, resting, moves)
        else:
            _check_host(site, everywhere, moves)


def _check_labels(everywhere: Profile, aliases: Sequence[Alias], sites: Sequence[Site]) -> None:
    """Raise ``BAD_OPTION`` if hosts gain the first label that goes from all of them."""
    profiles = [everywhere, *(site.profile for site in sites)]
    if not any(profile.choices["www"] == "add" for profile in profiles):
        return
    if any(alias.is_label and alias.host == "www" for alias in aliases):
        raise bad_option("host_aliases", "www.*", says("no_label"))


def _check_host(site: Site, everywhere: Profile, moves: HostMoves) -> None:
    """Raise ``BAD_OPTION`` for a host's own options that can never apply.

    All apply if the host stays. If they move it, only the options that move it apply. If an alias or
    an option for all hosts moves it, none applies.
    """
    rest = moves.last(site.host)
    if rest == site.host:
        return
    values, others = site.profile.values(), everywhere.values()
    differing = [name for name, value in values.items() if value != others[name]]
    moves_itself = any(name in _HOST_OPTIONS for name in differing)
    if moves.alias_of(site.host) is not None or not moves_itself:
        raise bad_option("sites", site.host, _never_matches(rest, "the_pattern"))
    idle = next((name for name in differing if name not in _HOST_OPTIONS), None)
    if idle is not None:
        option = f'sites["{site.host}"]["{idle}"]'
        raise bad_option(option, values[idle], _never_matches(rest, "this_option"))


def _check_domain(domain: str, resting: Collection[str], moves: HostMoves) -> None:
    """Raise ``BAD_OPTION`` for a domain's options if an alias moves all its hosts out of the domain."""
    target = moves.alias_of(f"*.{domain}")
    if target is None or any(f".{host}".endswith(f".{domain}") for host in resting):
        return
    raise bad_option("sites", f"*.{domain}", _never_matches(moves.last(target), "the_pattern"))


def _never_matches(rest: str, what: str) -> str:
    return says("never_matches", rest, says(what))


def _domains_above(host: str) -> Iterator[str]:
    return (host[dot.end() :] for dot in re.finditer(r"\.", host))


def _without_start(host: str) -> str:
    return _WWW.sub("", host, count=1) if _WWW.match(host) else host


def _without_final_dots(host: str) -> str:
    """Return the host without final dots, or as it is if nothing or an IPv4 address would remain."""
    moved = host.rstrip(".")
    return host if moved == "" or ends_in_number(moved) else moved


def _without_www(host: str, takes_digits: bool) -> str | None:
    """Return the host without ``www.``, or ``www`` with one to three digits.

    Return None unless two labels remain; with digits, unless these are more than a public second level.
    """
    start = _WWW.match(host)
    if start is None or (start[0] != "www." and not takes_digits):
        return None
    rest = host[start.end() :]
    if start[0] != "www." and rest.rstrip(".") in SECOND_LEVELS:
        return None
    return rest if _TWO_LABELS.match(rest) else None


def _can_gain_www(host: str) -> bool:
    if host.startswith(("www.", "[")):
        return False
    return _TWO_LABELS.match(host) is not None and not ends_in_number(host)
