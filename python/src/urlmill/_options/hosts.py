"""Host patterns of options, with hosts as normalizing writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from .messages import bad_option, says
from .profile import Profile, ProfileCompiler
from .resolve import Options, resolve_site
from .written import ends_in_number, utf8

#: Writes a host as normalizing does; None for a text that is not a host name or an IP address.
NormalHost = Callable[[str], "str | None"]

_IPV6_WITHOUT_BRACKETS = re.compile("(?=[^:]*:)[0-9A-Fa-f:.]*")
#: A domain with nothing to decode, to map or to refuse. It is written without the kernel.
_PLAIN_HOST = re.compile("[A-Za-z0-9_.-]+")
_NEVER_IN_A_HOST = re.compile(r"[/\\?#@*\t-\r ]")


def normal_host_of(normalize: Callable[[str], str | None]) -> NormalHost:
    """Return a function that writes hosts, made of one that normalizes URLs under preset ``safe``.

    ``normalize`` returns None for a text that is not a URL. An IPv6 address may lack its brackets.
    """

    def normal_host(host: str) -> str | None:
        if _PLAIN_HOST.fullmatch(host) and not ends_in_number(host):
            return host.lower()
        text = utf8(f"[{host}]" if _IPV6_WITHOUT_BRACKETS.fullmatch(host) else host).decode()
        is_literal = text.startswith("[") and text.endswith("]")
        if text == "" or _NEVER_IN_A_HOST.search(text) or (":" in text and not is_literal):
            return None
        url = normalize(f"http://{text}/")
        return None if url is None else url.removeprefix("http://").removesuffix("/")

    return normal_host


class Site(NamedTuple):
    """The hosts that a profile is for."""

    host: str
    #: Whether the hosts below it are meant as well (``*.host``).
    subdomains: bool
    profile: Profile


class Alias(NamedTuple):
    """The host to write instead of others."""

    host: str
    #: Whether only the hosts below it are meant (``*.host``).
    below: bool
    target: str
    #: Whether ``host`` is a first label, which goes from all hosts that have it (``host.*``).
    is_label: bool = False


def compile_aliases(aliases: Mapping[str, str], normal_host: NormalHost) -> list[Alias]:
    """Return aliases by pattern; raise ``BAD_OPTION`` for what is not a host."""
    compiled: dict[tuple[str, bool] | str, Alias] = {}
    for given, to in aliases.items():
        if given.endswith(".*"):
            label = _compile_label(given, to, normal_host)
            compiled[f"{label.host}.*"] = label
            continue
        below = given.startswith("*.")
        host = _compile_host("host_aliases", given[2:] if below else given, given, normal_host)
        if below and (host.startswith("[") or ends_in_number(host)):
            raise bad_option("host_aliases", given, says("domain"))
        target = _compile_host("host_aliases", to, to, normal_host)
        other = compiled.get((host, below))
        if other is not None and other.target != target:
            raise bad_option("host_aliases", given, says("one_target", other.target, target))
        compiled[host, below] = Alias(host, below, target)
    return list(compiled.values())


def _compile_label(given: str, to: str, normal_host: NormalHost) -> Alias:
    host = _compile_host("host_aliases", given[:-2], given, normal_host)
    if "." in host or host.startswith("[") or ends_in_number(host):
        raise bad_option("host_aliases", given, says("one_label"))
    if to != "*":
        raise bad_option("host_aliases", to, says("label_goes", given))
    return Alias(host, False, to, is_label=True)


def compile_sites(
    sites: Mapping[str, Options], above: Options, compiler: ProfileCompiler, normal_host: NormalHost
) -> list[Site]:
    """Return sites by pattern; raise ``BAD_OPTION`` for what is not a host pattern."""
    compiled = []
    for pattern, options in sites.items():
        subdomains = pattern.startswith("*.")
        name = pattern[2:] if subdomains else pattern
        if "*" in name:
            raise bad_option("sites", pattern, says("pattern"))
        profile = compiler.compile(resolve_site(pattern, options, above), pattern)
        host = _compile_host("sites", name, name, normal_host)
        compiled.append(Site(host, subdomains, profile))
    return compiled


def check_patterns(sites: Iterable[Site]) -> None:
    """Raise ``BAD_OPTION`` for two patterns that mean the same hosts."""
    seen = set()
    for site in sites:
        pattern = f"*.{site.host}" if site.subdomains else site.host
        if pattern in seen:
            raise bad_option("sites", pattern, says("one_set"))
        seen.add(pattern)


def _compile_host(option: str, host: str, shown: str, normal_host: NormalHost) -> str:
    written = normal_host(host)
    if written is None:
        raise bad_option(option, shown, says("host"))
    return written
