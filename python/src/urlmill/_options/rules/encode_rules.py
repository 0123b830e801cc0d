"""Writes rules of sites in a plan (src/plan/rule-layout.ts)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import chain
from operator import or_
from typing import NamedTuple

from ..aliases.encode_aliases import write_page_aliases
from ..aliases.page_alias import PageAlias
from ..plan_writer import Entry, PlanWriter, hash_backward
from ..tables import (
    ACTIONS,
    ANY_BYTES,
    ANY_SITE,
    DOMAIN,
    ELEMENTS,
    KIND,
    LISTS_PLAN_VERSION,
    LOCAL,
    TESTS,
    UNLESS_TEST,
    UNWRAP_PLAN_VERSION,
    VALUE_PATTERN,
    WHOLE,
)
from ..url_table import write_url_table
from .pattern import shortest_match, text_length
from .rule import Action, Condition, Pattern, Rule, Template, Unless, is_of_lists
from .rule_masks import (
    Masks,
    bits_of,
    facts_of,
    is_local,
    masks_of,
    name_hash,
    paths_of,
    site_hash,
    wakes_of,
)

_WORD = 0xFFFFFFFF
#: Bits in the filter for each site: so many that one site of a hundred passes by chance.
_FILTER_BITS = 16
_TEXTUAL = ("text", "segment", "rest")


class SiteRules(NamedTuple):
    """Where in the plan the rules and aliases of sites stand."""

    sites: int
    any: int
    filter: int
    aliases: int


def write_site_rules(
    writer: PlanWriter,
    rules: Mapping[str, Sequence[Rule]],
    aliases: Mapping[str, Sequence[PageAlias]],
) -> SiteRules:
    """Write rules and aliases by site; the rules of ``ANY_SITE`` are for all."""
    written = [rule for own in rules.values() for rule in own]
    if any(map(is_of_lists, written)):
        writer.need_version(LISTS_PLAN_VERSION)
    if any(rule.action.kind == "unwrap" for rule in written):
        writer.need_version(UNWRAP_PLAN_VERSION)
    names = sorted(site for site in rules if site != ANY_SITE)
    blocks = [Entry(*_site_entry(name), _write_block(writer, rules[name])) for name in names]
    sites = writer.optional_table(blocks, hash_backward)
    if ANY_SITE in rules:
        block = _write_block(writer, rules[ANY_SITE])
        # All sites pass this filter.
        passes = writer.words([0, _WORD])
    else:
        block = 0
        passed = [_last_labels(site) for site in {*names, *aliases}]
        passes = writer.words([0, _WORD]) if "" in passed else _write_filter(writer, passed)
    return SiteRules(sites, block, passes, write_page_aliases(writer, aliases))


def _site_entry(site: str) -> tuple[str, int]:
    """How a table names a site: a host, or a domain and its hosts."""
    if site.startswith(DOMAIN):
        return site.removeprefix(DOMAIN), KIND["SUBDOMAINS"]
    return site, KIND["EXACT"]


def _last_labels(site: str) -> str:
    """What the filter has of a site; "" for a domain of one label."""
    if not site.startswith(DOMAIN):
        return site
    labels = site.removeprefix(DOMAIN).split(".")
    return ".".join(labels[-2:]) if len(labels) > 1 else ""


def _write_filter(writer: PlanWriter, sites: Sequence[str]) -> int:
    needed = -(-_FILTER_BITS * len(sites) // 32)
    count = max(8, 1 << (needed - 1).bit_length())
    words = [0] * count
    for site in sites:
        hashed = site_hash(site)
        words[hashed >> 10 & (count - 1)] |= 1 << (hashed & 31) | 1 << (hashed >> 5 & 31)
    return writer.words([count - 1, *words])


def _write_block(writer: PlanWriter, rules: Sequence[Rule]) -> int:
    masks = [masks_of(rule) for rule in rules]
    asked = reduce(or_, (mask.all | mask.any for mask in masks), 0)
    values = reduce(or_, (mask.values for mask in masks), 0)
    if len(masks) % 2 == 1:
        masks.append(Masks(0, 0, 0, 0, 0))
    pairs = zip(masks[::2], masks[1::2], strict=True)
    in_pairs = chain.from_iterable(chain.from_iterable(zip(*pair, strict=True)) for pair in pairs)
    written = [word for rule in rules for word in _write_rule(writer, rule)]
    facts = reduce(or_, map(facts_of, rules), 0)
    asks = _words_of([asked, values, *wakes_of(rules), *in_pairs])
    return writer.words([len(rules), facts, *asks, *written])


def _write_rule(writer: PlanWriter, rule: Rule) -> list[int]:
    action, paths = rule.action, paths_of(rule)
    return [
        max(map(shortest_match, paths), default=0),
        min(map(_longest_match, paths), default=_WORD),
        _write_condition(writer, rule.condition, rule.unless),
        ACTIONS.index(action.kind) + _mark_of(action),
        _write_subject(writer, action),
        _write_object(writer, action),
        write_url_table(writer, [(url,) for url in rule.exceptions]) if rule.exceptions else 0,
    ]


def _mark_of(action: Action) -> int:
    mark = WHOLE if action.whole else 0
    if action.kind == "dropif" and action.source:
        return mark | VALUE_PATTERN
    return LOCAL if is_local(action) else mark


def _words_of(masks: Iterable[int]) -> list[int]:
    """Two words each, the low one first."""
    return [word for mask in masks for word in (mask & _WORD, mask >> 32)]


def _longest_match(pattern: Pattern) -> int:
    is_text = all(element.kind == "text" for element in pattern)
    return text_length(pattern) if is_text else _WORD


def _write_condition(
    writer: PlanWriter, condition: Condition, unless: Sequence[Unless] = ()
) -> int:
    if condition.path is None and not condition.params and not unless:
        return 0
    tests = [
        word
        for test in condition.params
        for word in (
            TESTS.index(test.kind),
            name_hash(test.name),
            writer.shared_text(test.name),
            writer.shared_text(test.value),
        )
    ]
    for each in unless:
        name, kind = ("", 0) if each.site == ANY_SITE else _site_entry(each.site)
        text = writer.shared_text(name)
        tests += [UNLESS_TEST, kind, text, _write_condition(writer, each.condition)]
    path = 0 if condition.path is None else _write_pattern(writer, condition.path)
    return writer.words([path, len(condition.params) + len(unless), *tests])


def _write_subject(writer: PlanWriter, action: Action) -> int:
    if action.kind in ("drop", "keep", "dropif", "set", "unwrap"):
        return _write_names(writer, action.params)
    if action.kind in ("sub", "path"):
        return _write_pattern(writer, action.source)
    return writer.shared_text(action.text) if action.kind in ("cut", "host", "sink") else 0


def _write_object(writer: PlanWriter, action: Action) -> int:
    if action.kind == "dropif" and action.source:
        return _write_pattern(writer, action.source)
    if action.kind in ("dropif", "set"):
        return writer.shared_text(action.text)
    return _write_template(writer, action.to) if action.kind in ("sub", "path") else 0


def _write_names(writer: PlanWriter, names: Sequence[str]) -> int:
    words = [word for name in names for word in _name_words(writer, name)]
    return writer.words([len(names), *_words_of([bits_of(names)]), *words])


def _name_words(writer: PlanWriter, name: str) -> tuple[int, int]:
    text = writer.shared_text(name.replace(ANY_BYTES, ""))
    if name.endswith(ANY_BYTES):
        return KIND["PREFIX"], text
    return KIND["SUFFIX"] if name.startswith(ANY_BYTES) else name_hash(name), text


def _write_pattern(writer: PlanWriter, pattern: Pattern) -> int:
    words = [
        word
        for element in pattern
        for word in (
            ELEMENTS.index(element.kind),
            writer.shared_text(element.text) if element.kind in _TEXTUAL else element.length,
        )
    ]
    return writer.words([len(pattern), *words])


def _write_template(writer: PlanWriter, template: Template) -> int:
    words = [
        word
        for piece in template
        for word in ((piece, 0) if isinstance(piece, int) else (0, writer.shared_text(piece)))
    ]
    return writer.words([len(template), *words])
