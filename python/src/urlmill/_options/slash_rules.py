"""Rules that add a slash, and the option that removes it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .hosts import Site
from .messages import bad_option, says
from .profile import Profile
from .tables import ANY_SITE, DOMAIN

if TYPE_CHECKING:
    from .rules.rule import Rule

_PORT = re.compile(r":[0-9]+\Z")


def check_slash_rules(
    site_rules: Mapping[str, Sequence[Rule]], everywhere: Profile, sites: Sequence[Site]
) -> None:
    """Raise ``BAD_OPTION`` where a rule adds the slash that ``trailing_slash`` removes.

    URLs of its site would never reach a fixpoint.
    """
    for site, rules in site_rules.items():
        if all(rule.action.kind != "slash" for rule in rules):
            continue
        shown = says("all_sites") if site == ANY_SITE else site
        for profile in _profiles_of(site, everywhere, sites):
            if profile.choices["trailing_slash"] == "remove":
                raise bad_option("trailing_slash", "remove", says("no_removal", shown))


def _profiles_of(site: str, everywhere: Profile, sites: Sequence[Site]) -> list[Profile]:
    """The profiles that can apply to URLs of a site."""
    if site == ANY_SITE:
        return [everywhere, *(each.profile for each in sites)]
    host = _PORT.sub("", site).removeprefix(DOMAIN)
    exact = [each for each in sites if not each.subdomains and each.host == host]
    domains = [each for each in sites if each.subdomains and f".{host}".endswith(f".{each.host}")]
    longest = max(domains, key=lambda each: len(each.host), default=None)
    closest = everywhere if longest is None else longest.profile
    if not site.startswith(DOMAIN):
        return [exact[0].profile if exact else closest]
    return [closest, *(each.profile for each in sites if f".{each.host}".endswith(f".{host}"))]
