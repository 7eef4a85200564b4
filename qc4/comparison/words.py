"""A comparison in sentences. No verdict without the family it is adjusted over."""

from __future__ import annotations

from qc4.comparison.draws import EXACT_QUERIES
from qc4.comparison.result import Comparison, PairResult
from qc4.problems.wording import counted, decimals, listed

_PROCEDURES = {
    "max-t": "step-down max-T",
    "holm": "Holm",
    "benjamini-hochberg": "Benjamini-Hochberg on Wilcoxon's test",
    "tukey": "randomised Tukey HSD",
}
_MOST_NAMED = 5


def number(value: float | None, digits: int = 3) -> str:
    """A value as text: ".081", "-.011", "1.250"; a dash for none."""
    return "–" if value is None else decimals(value, digits)


def p_words(p: float) -> str:
    """p with its sign: "p = .0004", "p < .0001"."""
    shown = number(p, 4)
    return "p < .0001" if shown == ".0000" else f"p = {shown}"


def pair_sentence(found: Comparison, pair: PairResult) -> str:
    """Who of two is better, by how much, and how sure that is; or what would be needed to say."""
    on = f"on {counted(pair.queries, 'query', 'queries')}"
    if pair.verdict == "untested":
        return f"{pair.a} has {number(pair.difference)} more than {pair.b} {on}; {found.note}."
    if pair.verdict == "no difference":
        return f"{pair.a} and {pair.b} have the same mean {on}."
    interval = f"{number(pair.low)} to {number(pair.high)}"
    adjusted = f"{family_words(found)} {p_words(pair.p_adjusted or 0.0)}"
    if pair.verdict == "better":
        return f"{pair.a} is better than {pair.b} by {number(pair.difference)} ({interval}) {on}; {adjusted}."
    needed = ""
    if found.queries < found.least_queries:
        needed = f"; {_too_few(found)}"
    elif pair.needed and pair.needed > pair.queries:
        needed = f"; about {pair.needed:,} queries would be needed"
    return (
        f"{pair.a} and {pair.b} cannot be separated: difference {number(pair.difference)} ({interval}) {on}; "
        f"{adjusted}{needed}."
    )


def family_words(found: Comparison) -> str:
    """What p are adjusted over."""
    if len(found.pairs) == 1:
        return "one pair, nothing to adjust for:"
    over = counted(len(found.pairs), "pair")
    return f"adjusted over {over}" if found.baseline is None else f"adjusted over {over} with {found.baseline}"


def leader_sentence(found: Comparison) -> str:
    """Which systems cannot be told from the one with the best mean."""
    leader, n = found.leader.system, len(found.systems)
    on = counted(found.queries, "query", "queries")
    if found.note:
        return f"{leader} has the best mean of {counted(n, 'system')}, on {on}; {found.note}."
    others = [system.system for system in found.with_leader() if system.system != leader]
    if n == 1:
        return f"{leader} is the only system, on {on}."
    if not others:
        return f"{leader} is better than every other of {counted(n, 'system')}, on {on}."
    if len(others) == n - 1:
        why = f"; {_too_few(found)}" if found.queries < found.least_queries else ""
        return f"On {on} no system can be told from {leader}, which has the best mean of {n:,}{why}."
    named = ", ".join(others) if len(others) <= _MOST_NAMED else listed(others, _MOST_NAMED).replace("'", "")
    best = f"On {on} {leader} has the best mean of {n:,} systems"
    return f"{best}; it cannot be told from {named}, and is better than the rest."


def _too_few(found: Comparison) -> str:
    return f"fewer than {found.least_queries} queries allow no verdict at alpha {found.method.alpha:g}"


def methods_sentence(found: Comparison) -> str:
    """How it was done, for a paper."""
    rule = {"skip": "queries that all systems have", "zero": "a missing answer counted as the worst value"}
    how, pairs = found.method, counted(len(found.pairs), "pair")
    exact = " (exact)" if 1 < found.queries <= EXACT_QUERIES else ""
    family = "all pairs" if found.baseline is None else f"all systems against {found.baseline}"
    return (
        f"Means over {counted(found.queries, 'query', 'queries')} ({rule[found.missing]}); "
        f"{100 * how.confidence:g} % BCa bootstrap intervals over queries; "
        f"two-sided paired randomization tests{exact}, adjusted by "
        f"{_PROCEDURES[how.procedure]} over {family} ({pairs}), alpha {how.alpha:g}; {how.ranks} confidence sets of "
        f"ranks; {how.draws:,} draws, seed {how.seed}."
    )
