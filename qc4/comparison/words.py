"""A comparison in sentences. No verdict without the family it is adjusted over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from qc4.comparison.agreement import TAU_DRAWS, MeasureComparison
from qc4.comparison.covariates import ByCovariate, WhereBetter
from qc4.comparison.draws import EXACT_QUERIES
from qc4.comparison.repeats import VarianceComponents
from qc4.comparison.result import Comparison, PairResult
from qc4.comparison.robustness import Robustness
from qc4.problems.wording import counted, decimals, listed, percentage
from qc4.records import Record
from qc4.version import ENGINE_VERSION

PROCEDURE_NAMES = {
    "max-t": "step-down max-T",
    "holm": "Holm",
    "benjamini-hochberg": "Benjamini-Hochberg on Wilcoxon's test",
    "tukey": "randomised Tukey HSD",
}
"""Procedure -> what people call it."""
SYSTEM = "system"
"""What is compared, as the field calls it; sentences take another word for it."""
_MOST_NAMED = 5


def number(value: float | None, digits: int = 3) -> str:
    """A value as text: ".081", "−.011", "1.250"; a dash for none."""
    return "–" if value is None else decimals(value, digits)


def p_number(p: float | None) -> str:
    """p for a table: ".0004", "< .0001"; a dash for none."""
    shown = number(p, 4)
    return "< .0001" if shown == ".0000" else shown


def p_words(p: float) -> str:
    """p with its sign: "p = .0004", "p < .0001"."""
    shown = p_number(p)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def pair_sentence(found: Comparison, pair: PairResult) -> str:
    """Who of two is better, by how much, and how sure that is; or what would be needed to say."""
    on = f"on {of_queries(found)}"
    if pair.verdict == "untested":
        more = "more" if found.better == "higher" else "less"
        return f"{pair.a} has {number(pair.difference)} {more} than {pair.b} {on}; {found.note}."
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


def family_caption(found: Comparison) -> str:
    """The same beside a picture, where there is no p to follow."""
    return "one pair, nothing to adjust for" if len(found.pairs) == 1 else f"p {family_words(found)}"


def leader_sentence(found: Comparison, called: str = SYSTEM) -> str:
    """Which systems cannot be told from the one with the best mean.

    Args:
        called: what a system is called, in the singular.
    """
    leader, n = found.leader.system, len(found.systems)
    on = of_queries(found)
    if found.note:
        return f"{leader} has the best mean of {counted(n, called)}, on {on}; {found.note}."
    others = [system.system for system in found.with_leader() if system.system != leader]
    if n == 1:
        return f"{leader} is the only {called}, on {on}."
    if not others:
        return f"{leader} is better than every other of {counted(n, called)}, on {on}."
    if len(others) == n - 1:
        why = f"; {_too_few(found)}" if found.queries < found.least_queries else ""
        return f"On {on} no {called} can be told from {leader}, which has the best mean of {n:,}{why}."
    named = ", ".join(others) if len(others) <= _MOST_NAMED else listed(others, _MOST_NAMED).replace("'", "")
    best = f"On {on} {leader} has the best mean of {n:,} {called}s"
    return f"{best}; it cannot be told from {named}, and is better than the rest."


def of_queries(found: Comparison) -> str:
    """How many queries count, and of how many where some are left out: "6 of 44 queries"."""
    if not found.left_out:
        return counted(found.queries, "query", "queries")
    return f"{found.queries:,} of {found.queries + len(found.left_out):,} queries"


def aside_sentence(found: Comparison) -> str:
    """Who is not ranked, as it answers too few queries; empty where nobody is."""
    if not found.set_aside:
        return ""
    each = ", ".join(
        f"{one.system} ({number(one.mean)} on {one.queries:,} of {one.asked:,} queries)" for one in found.set_aside
    )
    return f"Not ranked, with too few values: {each}."


def _too_few(found: Comparison) -> str:
    return f"fewer than {found.least_queries} queries allow no verdict at alpha {found.method.alpha:g}"


@dataclass(frozen=True, kw_only=True)
class About(Record):
    """What a comparison was made on, as far as whoever asks knows it.

    Attributes:
        collection, gold: names, such as "AMBIENT" and "v3".
        sha256: of the gold standard; its first twelve digits are said.
        measure: what the scores are of, with its level if it has one: "quality", "ari on level 1".
        policies: name -> choice.
        engine: the version that computed the scores.
    """

    collection: str = ""
    gold: str = ""
    sha256: str = ""
    measure: str = ""
    policies: Mapping[str, str] = field(default_factory=dict)
    engine: str = ENGINE_VERSION


def methods_sentence(found: Comparison, about: About | None = None, called: str = SYSTEM) -> str:
    """How it was done, for a paper.

    Args:
        about: the measure, collection, gold standard and policies, where they are known.
        called: what a system is called, in the singular.
    """
    known = about or About()
    rule = {"skip": f"queries that all {called}s have", "zero": "a missing answer counted as the worst value"}
    how, pairs = found.method, counted(len(found.pairs), "pair")
    exact = " (exact)" if 1 < found.queries <= EXACT_QUERIES else ""
    family = "all pairs" if found.baseline is None else f"all {called}s against {found.baseline}"
    of = f" of {known.measure}" if known.measure else ""
    collection = f" of {known.collection}" if known.collection else ""
    means = (
        f"Means{of} over {counted(found.queries, 'query', 'queries')}{collection} ({rule[found.missing]})"
        f"{_runs(found, called)}, {source_words(known)}"
    )
    if found.note:
        return f"{means}; {found.note}."
    return (
        f"{means}; "
        f"{100 * how.confidence:g} % BCa bootstrap intervals over queries{' and repeats' if found.repeats else ''}; "
        f"two-sided paired randomization tests{exact}, adjusted by "
        f"{PROCEDURE_NAMES[how.procedure]} over {family} ({pairs}), alpha {how.alpha:g}; {how.ranks} confidence sets "
        f"of ranks; {how.draws:,} draws, seed {how.seed}."
    )


def source_words(about: About) -> str:
    """Gold standard, policies and engine, the first two only where they are known."""
    policies = ", ".join(f"{name} {choice}" for name, choice in about.policies.items())
    gold = gold_words(about)
    known = f"{gold}; policies {policies}; ".removeprefix("; ") if policies else f"{gold}, ".removeprefix(", ")
    return f"{known}computed by QC4 Bench, engine {about.engine}"


def gold_words(about: About) -> str:
    """ "gold standard v3 (SHA-256 0123456789ab)"; empty where nothing of it is known."""
    sha = f" (SHA-256 {about.sha256[:12]})" if about.sha256 else ""
    name = f" {about.gold}" if about.gold else ""
    return f"gold standard{name}{sha}" if name or sha else ""


def _runs(found: Comparison, called: str) -> str:
    if found.repeats is None:
        return ""
    sizes = sorted({len(runs) for runs in found.repeats.runs.values()})
    each = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    return f" and over {each} runs of each {called}, query by query"


_COMPONENTS = {
    "query": "queries",
    "system": "systems",
    "system_query": "systems by query",
    "repeat": "repeats",
    "residual": "repeats by query and the rest",
}


def variance_sentence(components: VarianceComponents) -> str:
    """Where the variance of scores lies, the largest part first."""
    shares = sorted(components.shares.items(), key=lambda part: -part[1])
    if not shares:
        return "The runs do not tell where their variance lies."
    parts = ", ".join(f"{percentage(share)} {_COMPONENTS[name]}" for name, share in shares)
    of = f"{counted(components.runs, 'run')} of {counted(components.systems, 'system')}"
    return f"Variance of {of} on {counted(components.queries, 'query', 'queries')}: {parts}."


def robustness_sentences(found: Robustness) -> tuple[str, ...]:
    """Whether the winner would change, in words: the reference, the other tables, single queries, resampled queries."""
    row = found.reference
    on = f"on {counted(row.queries, 'query', 'queries')}"
    if not row.difference:
        return (f"{found.a} and {found.b} have the same mean {on}: there is no winner to change.",)
    interval = "" if row.low is None else f" ({number(row.low)} to {number(row.high)})"
    p = "" if row.p is None else f", {p_words(row.p)} of this pair alone"
    sentences = [f"{found.a} is ahead of {found.b} by {number(row.difference)}{interval} {on}{p}."]
    if found.rows:
        sentences.append(_elsewhere(found))
    if found.without is not None and found.to_turn is not None:
        left = found.without
        sentences.append(
            f"Without query {left.query}, which speaks most for {found.a}, the difference is {number(left.difference)}"
            f"{'' if left.p is None else f', {p_words(left.p)}'}; leaving out "
            f"{counted(found.to_turn, 'query', 'queries')} of {row.queries:,} can turn the order."
        )
    if row.share is not None:
        sentences.append(f"{found.a} is ahead in {percentage(row.share, digits=1)} of resampled sets of queries.")
    return tuple(sentences)


def _elsewhere(found: Robustness) -> str:
    asked = [row for row in found.rows if row.agrees is not None]
    turned = [f"{row.name} ({row.kind})" for row in found.turned()]
    rest = len(found.rows) - len(asked)
    unknown = "" if not rest else f"; {rest:,} {'says' if rest == 1 else 'say'} nothing"
    alone = "; each table is looked at by itself" if len(asked) > 1 else ""
    stays = f"It stays ahead under {len(asked) - len(turned):,} of {counted(len(asked), 'other table')}"
    if not turned:
        return f"{stays}{unknown}{alone}."
    named = ", ".join(turned) if len(turned) <= _MOST_NAMED else listed(turned, _MOST_NAMED).replace("'", "")
    return f"{stays}; {found.b} is ahead under {named}{unknown}{alone}."


def robustness_methods_sentence(found: Robustness, called: str = SYSTEM) -> str:
    """How the tables were looked at, for a paper."""
    return (
        f"Every table by itself, on the queries that both {called}s have: mean paired differences with "
        f"{100 * (1 - found.alpha):g} % BCa bootstrap intervals over queries, two-sided paired randomization tests of "
        f"this pair alone (not adjusted: tables are looks at one question), and the share of resampled sets of queries "
        f"on which the first has the better mean; {found.draws:,} draws, seed {found.seed}."
    )


def covariate_sentence(found: WhereBetter, fact: ByCovariate) -> str:
    """Whether the difference goes with a fact of the queries. A look, not a test."""
    on = f"over {counted(fact.queries, 'query', 'queries')}"
    if fact.tau is None or fact.tau_low is None:
        return f"{fact.name}: nothing can be said of a trend {on}."
    tau = f"tau {number(fact.tau, 2)} ({number(fact.tau_low, 2)} to {number(fact.tau_high, 2)}) {on}"
    if not fact.trend:
        return f"{fact.name}: no trend of {found.a} against {found.b} can be seen, {tau}."
    return f"{fact.name}: {found.a} does better against {found.b} where it is {_ENDS[fact.trend]}, {tau}."


_ENDS = {1: "larger", -1: "smaller"}


def looks_sentence(found: WhereBetter) -> str:
    """What many intervals are worth together."""
    of_these = f"{counted(found.looks, 'interval')} of {100 * (1 - found.alpha):g} %"
    return f"{of_these}, none adjusted: looks at one set of differences, of which some miss by chance; not tests."


def measures_sentence(found: MeasureComparison, titles: Mapping[str, str] | None = None, called: str = SYSTEM) -> str:
    """Which measures agree most and least on the order of the systems, and whether any contradict each other.

    Args:
        titles: what to call measures; their keys by default.
        called: what a system is called, in the singular.
    """
    names = titles or {}
    known = sorted((one.tau, place) for place, one in enumerate(found.agreements) if one.tau is not None)
    over = f"{counted(len(found.systems), called)} on {counted(found.queries, 'query', 'queries')}"
    if not known:
        return f"No two measures order {over}: each has one mean for all."
    sentences = []
    alike = len(known) > 1 and known[0][0] == known[-1][0]
    for what, (_, place) in (("least", known[0]), ("most", known[-1])):
        one = found.agreements[place]
        interval = "" if one.low is None else f" ({number(one.low, 2)} to {number(one.high, 2)})"
        pair = f"{names.get(one.one, one.one)} and {names.get(one.other, one.other)}"
        sentences.append(f"{pair} agree {what}, tau {number(one.tau, 2)}{interval}")
    which = f"Of {counted(len(found.power), 'measure')} over {over}, " if len(known) > 1 else f"Over {over}, "
    said = "; ".join(sentences) if len(known) > 1 else sentences[0].replace(" agree least,", " agree with")
    if alike:
        said = f"any two that can be compared agree alike, tau {number(known[0][0], 2)}"
    against = {(one.a, one.b) for of in found.agreements for one in of.contradictions}
    pairs = {frozenset(pair) for pair in against}
    if not pairs:
        return f"{which}{said}. No pair of {called}s is separated in opposite directions by two of them."
    be = "is" if len(pairs) == 1 else "are"
    return f"{which}{said}. {counted(len(pairs), 'pair')} of {called}s {be} separated in opposite directions."


def measures_methods_sentence(found: MeasureComparison, called: str = SYSTEM) -> str:
    """How measures were compared, for a paper."""
    return (
        f"Kendall's tau-b of the means of {counted(len(found.systems), called)} over "
        f"{counted(found.queries, 'query', 'queries')}; {100 * (1 - found.alpha):g} % percentile bootstrap intervals "
        f"over queries ({min(found.draws, TAU_DRAWS):,} draws). Discriminative power: the share of "
        f"{counted(found.pairs, 'pair')} of {called}s that a measure separates, two-sided, by "
        f"{PROCEDURE_NAMES[found.procedure]} over all pairs, alpha {found.alpha:g}; {found.draws:,} draws, seed "
        f"{found.seed}. A contradiction is a pair that two measures separate "
        f"in opposite directions."
    )
