"""Sentences about comparisons. Every verdict names the family over which it is adjusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from qc4.bibliography import SOFTWARE, bibtex
from qc4.records import Record
from qc4.stats.agreement import TAU_DRAWS, MeasureComparison
from qc4.stats.covariates import ByCovariate, WhereBetter
from qc4.stats.draws import EXACT_QUERIES
from qc4.stats.repeats import VarianceComponents
from qc4.stats.results import Comparison, PairResult, SystemResult
from qc4.stats.robustness import Robustness
from qc4.stats.tests import PROCEDURE_NAMES, REGISTRY
from qc4.version import ENGINE_VERSION
from qc4.wording import MINUS, counted, decimals, join_names, listed, percentage

SYSTEM = "system"
"""The default word for a system; callers may pass another one."""
MAX_REALISTIC_QUERIES = 10_000
"""More queries than this are not realistic to collect."""
_MOST_NAMED = 5
_MOST_DIGITS = 9


def number(value: float | None, digits: int = 3) -> str:
    """Format a value: ".081", "−.011", "1.250"; a dash for none."""
    return "–" if value is None else decimals(value, digits)


def signed_number(value: float | None, digits: int = 3) -> str:
    """Format a difference or an end of its interval with as many digits as its sign needs: ".081", ".0003"."""
    if not value:
        return number(value, digits)
    while digits < _MOST_DIGITS and not float(f"{value:.{digits}f}"):
        digits += 1
    return number(value, digits) if float(f"{value:.{digits}f}") else f"{value:.0e}".replace("-", MINUS)


def interval_words(low: float | None, high: float | None) -> str:
    """Format an interval: ".042 to .118"; a dash for none."""
    return "–" if low is None or high is None else f"{signed_number(low)} to {signed_number(high)}"


def p_number(p: float | None, alpha: float | None = None) -> str:
    """Format p for a table: ".0004", "< .0001"; a dash for none.

    Args:
        alpha: p gets as many digits as show on which side of alpha it is: ".05003".
    """
    if p is None:
        return "–"
    if p < 0.00005 and (alpha is None or alpha >= 0.0001):
        return "< .0001"
    digits = 4
    while alpha is not None and digits < _MOST_DIGITS and (round(p, digits) <= alpha) != (p <= alpha):
        digits += 1
    return number(p, digits)


def p_words(p: float, alpha: float | None = None) -> str:
    """Format p with its sign: "p = .0004", "p < .0001"."""
    shown = p_number(p, alpha)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def pair_sentence(found: Comparison, pair: PairResult) -> str:
    """Say which of two systems is better, by how much and how certain that is, or how many queries would be needed."""
    on, by = f"on {of_queries(found)}", signed_number(pair.difference)
    if pair.is_same:
        return f"{pair.a} and {pair.b} have the same score on all {of_queries(found)}."
    if pair.difference == 0:
        return f"{pair.a} and {pair.b} have the same mean {on}."
    if pair.verdict == "untested":
        more = "more" if found.better == "higher" else "less"
        return f"{pair.a} has {by} {more} than {pair.b} {on}; {found.note}."
    adjusted = f"{family_words(found)}, {p_words(pair.p_adjusted or 0.0, found.method.alpha)}"
    if pair.verdict == "better":
        interval = "" if pair.low is None else f" ({interval_words(pair.low, pair.high)})"
        same = ", the same difference on every query," if pair.standard_error == 0 else ""
        return f"{pair.a} is better than {pair.b} by {by}{same or interval} {on}; {adjusted}."
    return (
        f"{pair.a} and {pair.b} are not significantly different: {pair.a} is {by} ahead on these "
        f"{of_queries(found)}{_interval_clause(pair)}; {adjusted}."
        f"{_required_clause(found, pair)}{_raw_words(found, pair)}"
    )


def _interval_clause(pair: PairResult) -> str:
    if pair.standard_error == 0:
        return ", the same on every query"
    if pair.low is None:
        return ""
    return f", the true difference may be anything from {signed_number(pair.low)} to {signed_number(pair.high)}"


def required_words(pair: PairResult) -> str:
    """Format the number of queries needed for a table: "28", "too many" above a realistic number, a dash if unknown."""
    if pair.required_queries is None:
        return "–"
    return "too many" if pair.required_queries > MAX_REALISTIC_QUERIES else str(pair.required_queries)


def _required_clause(found: Comparison, pair: PairResult) -> str:
    if REGISTRY[found.method.procedure].has_intervals and found.critical_value is None:
        return f" {_no_verdict(found)}"
    if pair.required_queries is None:
        return ""
    if pair.required_queries > MAX_REALISTIC_QUERIES:
        return " No realistic number of queries would show a difference this small."
    return f" About {pair.required_queries:,} queries would be needed."


def _raw_words(found: Comparison, pair: PairResult) -> str:
    """Return a sentence if the pair alone would be significant, or ""."""
    if pair.p is None or pair.p > found.method.alpha or found.family_size == 1:
        return ""
    raw, among = p_words(pair.p, found.method.alpha), f"among {found.family_size:,} pairs"
    return f" Tested alone, the pair would have {raw}, but {among} that happens by chance too often."


def family_words(found: Comparison) -> str:
    """Name the pairs that are tested together: "all 15 pairs taken together"."""
    procedure = REGISTRY[found.method.procedure]
    by = "" if procedure.has_intervals else f" ({procedure.title})"
    if found.family_size == 1:
        return f"this pair tested alone{by}"
    of = "" if found.baseline is None else f" with {found.baseline}"
    return f"all {found.family_size:,} pairs{of} taken together{by}"


def leader_sentence(found: Comparison, called: str = SYSTEM) -> str:
    """Say which systems could be the best, or which are better than the baseline.

    Args:
        called: the word for a system, in the singular.
    """
    of_family, n = found.of_family, found.family_systems
    leader = of_family.leader
    on = f"on {of_queries(found)}"
    if n == 1:
        return f"{leader} is the only {called}, {on}."
    have = "have" if len(of_family.leaders) > 1 else "has"
    best = f"{join_names(of_family.leaders)} {have} the best mean of {counted(n, called)}, {on}"
    if found.note:
        return f"{best}; {found.note}."
    if REGISTRY[found.method.procedure].ranks is not None:
        return f"{best}. Each set of places holds individually."
    if found.family_size == 1 and found.pairs:
        return pair_sentence(found, found.pairs[0])
    if found.baseline is not None:
        return _baseline_sentence(found, called)
    if not of_family.could_be_best:
        return f"{best}. {_share(of_family.separated, found)} significantly different; {family_words(found)}."
    others = [system for system in of_family.could_be_best if system != leader]
    confidence = _confidence(found)
    if not others:
        return (
            f"{leader} is better than each of the other {n - 1:,} {on} "
            f"({confidence} for all {found.family_size:,} pairs together)."
        )
    rest = n - len(others) - 1
    if not rest:
        why = f" {_no_verdict(found)}" if found.critical_value is None else ""
        return f"No {called} is shown to be better than another {on}.{why}"
    worse = f"Each of the other {rest:,}" if rest > 1 else f"The other {called}"
    return (
        f"{leader} has the best mean; {join_names(others)} could be as good or better. {worse} is worse than at least "
        f"one of these (all {found.family_size:,} pairs taken together, {confidence})."
    )


def _baseline_sentence(found: Comparison, called: str) -> str:
    worse = found.of_family.baseline_better
    better = found.of_family.separated - worse
    be, was = ("is" if count == 1 else "are" for count in (better, worse))
    counts = f"{better:,} of {counted(found.family_size, called)} {be} better than {found.baseline}"
    confidence = f", {_confidence(found)}" if REGISTRY[found.method.procedure].has_intervals else ""
    return f"{counts} and {worse:,} {was} worse, on {of_queries(found)} ({family_words(found)}{confidence})."


def _share(number_of_pairs: int, found: Comparison) -> str:
    be = "is" if number_of_pairs == 1 else "are"
    return f"{number_of_pairs:,} of {counted(found.family_size, 'pair')} {be}"


def _confidence(found: Comparison) -> str:
    return f"{100 * found.method.confidence:g} %"


def place_words(system: SystemResult, dash: str = "–") -> str:
    """Format the places that a system may have, "2–5", or its rank if nothing else is known."""
    if system.rank_low is None or system.rank_low == system.rank_high:
        return f"{system.rank if system.rank_low is None else system.rank_low}"
    return f"{system.rank_low}{dash}{system.rank_high}"


def row_sentence(system: SystemResult) -> str:
    """Say the place of a system and its distance behind the best: "place 1 to 4; behind the best by .000 to .171"."""
    if system.rank_low is None or system.rank_high is None:
        return f"place {system.rank} by its mean"
    place = f"place {place_words(system, ' to ')}"
    if system.behind_low is None:
        return place
    if system.behind_high is None:
        return f"{place}; distance behind the best unknown"
    if system.could_be_best and system.behind_high == 0:
        return f"{place}; the best" if system.rank_high == 1 else f"{place}; as good as the best"
    return f"{place}; behind the best by {interval_words(system.behind_low, system.behind_high)}"


def behind_words(system: SystemResult) -> str:
    """Format the distance behind the best for a table: ".000 to .171", "0" if it is the best; a dash if unknown."""
    return "0" if system.behind_high == 0 else interval_words(system.behind_low, system.behind_high)


def of_queries(found: Comparison) -> str:
    """Return the number of queries used, and the total if some are omitted: "6 of 44 queries"."""
    if not found.left_out:
        return counted(found.queries, "query", "queries")
    return f"{found.queries:,} of {found.queries + len(found.left_out):,} queries"


def incomplete_sentence(found: Comparison) -> str:
    """Name the systems that are not ranked because they have too few queries, or return ""."""
    if not found.incomplete_systems:
        return ""
    each = ", ".join(
        f"{one.system} ({number(one.mean)} on {one.queries:,} of {one.asked:,} queries)"
        for one in found.incomplete_systems
    )
    return f"Not ranked because of too few values: {each}."


def _no_verdict(found: Comparison) -> str:
    if found.queries < found.least_queries and found.queries <= EXACT_QUERIES:
        return f"Fewer than {found.least_queries} queries allow no verdict."
    if found.queries <= EXACT_QUERIES:
        return f"These {found.queries} queries allow no verdict at alpha {found.method.alpha:g}."
    return f"{found.method.draws:,} draws allow no verdict at alpha {found.method.alpha:g}."


@dataclass(frozen=True, kw_only=True)
class ComparisonContext(Record):
    """The data of a comparison, if known.

    Attributes:
        collection, gold: names, such as "AMBIENT" and "v3".
        sha256: hash of the gold standard; sentences show its first twelve digits.
        measure: measure of the scores, with its level if it has one: "quality", "ari on level 1".
        policies: name -> choice.
        engine: version of the engine that computed the scores.
    """

    collection: str = ""
    gold: str = ""
    sha256: str = ""
    measure: str = ""
    policies: Mapping[str, str] = field(default_factory=dict)
    engine: str = ENGINE_VERSION


def methods_sentence(found: Comparison, about: ComparisonContext | None = None, called: str = SYSTEM) -> str:
    """Describe the method of a comparison for a paper.

    Args:
        about: the measure, collection, gold standard and policies, if known.
        called: the word for a system, in the singular.
    """
    known = about or ComparisonContext()
    those = f"compared {called}s" if found.incomplete_systems else f"{called}s"
    rule = {"skip": f"queries that all {those} have", "worst": "a missing score counts as the worst value"}
    of = f" of {known.measure}" if known.measure else ""
    collection = f" of {known.collection}" if known.collection else ""
    means = (
        f"Means{of} over {of_queries(found)}{collection} ({rule[found.missing]})"
        f"{_runs(found, called)}, {source_words(known)}"
    )
    if found.note:
        return f"{means}; {found.note}."
    if not found.family_size:
        return f"{means}."
    return f"{means}; {_tests(found, called)}, seed {found.method.seed}."


def _tests(found: Comparison, called: str) -> str:
    """Describe the tests of a comparison and the results that follow from them."""
    how, procedure = found.method, REGISTRY[found.method.procedure]
    sentence = procedure.sentence.format(called=called)
    draws = "exact" if found.queries <= EXACT_QUERIES and procedure.draws == "signs" else f"{how.draws:,} draws"
    if procedure.ranks is not None:
        return f"{sentence} at alpha {how.alpha:g}, each set of places individually; {draws}"
    family = "all pairs" if found.baseline is None else f"all {called}s against {found.baseline}"
    over = "of this pair alone" if found.family_size == 1 else f"over {family} ({found.family_size:,} pairs)"
    tests = f"{sentence} {over}, alpha {how.alpha:g}"
    if procedure.draws == "never":
        return tests
    if not procedure.has_intervals:
        return f"{tests}; {draws}"
    if found.critical_value is None:
        return f"{tests}, which allow no verdict here; {draws}"
    if found.critical_value == 0:  # all systems have the same scores, so that there are no intervals
        return f"{tests}; {draws}"
    together = "" if found.family_size == 1 else " for all of them together"
    places = "; places and distances behind the best follow from the same tests" if found.family == "all" else ""
    places = "" if found.family_systems < 3 else places
    return (
        f"{tests}; intervals of differences are the mean difference ± {found.critical_value:.3f} standard errors, with "
        f"{_confidence(found)} confidence{together}{places}; {draws}"
    )


def source_words(about: ComparisonContext) -> str:
    """Name the gold standard and policies, if known, and the engine."""
    policies = ", ".join(f"{name} {choice}" for name, choice in about.policies.items())
    gold = gold_words(about)
    known = f"{gold}; policies {policies}; ".removeprefix("; ") if policies else f"{gold}, ".removeprefix(", ")
    return f"{known}computed by QC4 Bench, engine {about.engine}"


def gold_words(about: ComparisonContext) -> str:
    """Return "gold standard v3 (SHA-256 0123456789ab)", or "" if nothing about it is known."""
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
    """Describe the components of variance, the largest first."""
    shares = sorted(components.shares.items(), key=lambda part: -part[1])
    if not shares:
        return "The components of variance of these runs cannot be estimated."
    parts = ", ".join(f"{percentage(share)} {_COMPONENTS[name]}" for name, share in shares)
    of = f"{counted(components.runs, 'run')} of {counted(components.systems, 'system')}"
    return f"Variance of {of} on {counted(components.queries, 'query', 'queries')}: {parts}."


def robustness_sentences(found: Robustness) -> tuple[str, ...]:
    """Describe whether the winner would change: the reference, other tables, single queries and resampled queries."""
    row = found.reference
    on = f"on {counted(row.queries, 'query', 'queries')}"
    if not row.difference:
        return (f"{found.a} and {found.b} have the same mean {on}: there is no winner to change.",)
    interval = "" if row.low is None else f" ({interval_words(row.low, row.high)})"
    p = "" if row.p is None else f"; this pair tested alone, {p_words(row.p, found.alpha)}"
    sentences = [f"{found.a} is ahead of {found.b} by {number(row.difference)}{interval} {on}{p}."]
    if found.rows:
        sentences.append(_other_tables(found))
    if found.without is not None and found.to_turn is not None:
        left = found.without
        sentences.append(
            f"Without query {left.query}, which favours {found.a} most, the difference is {number(left.difference)}"
            f"{'' if left.p is None else f', {p_words(left.p)}'}; removing "
            f"{counted(found.to_turn, 'query', 'queries')} of {row.queries:,} can reverse the order."
        )
    if row.share is not None:
        sentences.append(f"{found.a} is ahead in {percentage(row.share, digits=1)} of resampled sets of queries.")
    return tuple(sentences)


def _other_tables(found: Robustness) -> str:
    asked = [row for row in found.rows if row.agrees is not None]
    turned = [f"{row.name} ({row.kind})" for row in found.turned()]
    rest = len(found.rows) - len(asked)
    unknown = "" if not rest else f"; {rest:,} {'gives' if rest == 1 else 'give'} no result"
    alone = "; each table is analysed separately" if len(asked) > 1 else ""
    stays = f"It stays ahead under {len(asked) - len(turned):,} of {counted(len(asked), 'other table')}"
    if not turned:
        return f"{stays}{unknown}{alone}."
    named = ", ".join(turned) if len(turned) <= _MOST_NAMED else listed(turned, _MOST_NAMED).replace("'", "")
    return f"{stays}; {found.b} is ahead under {named}{unknown}{alone}."


def robustness_methods_sentence(found: Robustness, called: str = SYSTEM) -> str:
    """Describe the method of the robustness analysis for a paper."""
    return (
        f"Each table separately, on the queries that both {called}s have: two-sided paired randomization tests of this "
        f"pair alone (not adjusted for the number of tables) at alpha {found.alpha:g}, intervals of the mean "
        f"difference from the same tests, and the share of resampled sets of queries "
        f"on which the first has the better mean; {found.draws:,} draws, seed {found.seed}."
    )


def covariate_sentence(found: WhereBetter, fact: ByCovariate) -> str:
    """Describe the trend of the difference with a property of the queries. It is exploratory, not a test."""
    on = f"over {counted(fact.queries, 'query', 'queries')}"
    if fact.tau is None or fact.tau_low is None:
        return f"{fact.name}: a trend cannot be estimated {on}."
    tau = f"tau {number(fact.tau, 2)} ({number(fact.tau_low, 2)} to {number(fact.tau_high, 2)}) {on}"
    if not fact.trend:
        return f"{fact.name}: no visible trend in the difference between {found.a} and {found.b}, {tau}."
    return f"{fact.name}: {found.a}'s advantage over {found.b} grows as this value {_ENDS[fact.trend]}, {tau}."


_ENDS = {1: "rises", -1: "falls"}


def exploratory_note(found: WhereBetter) -> str:
    """Explain what many intervals mean together."""
    of_these = f"{counted(found.looks, 'interval')} of {100 * (1 - found.alpha):g} %"
    return f"{of_these}. These are exploratory: they are not adjusted for looking at several groups."


def measures_sentence(found: MeasureComparison, titles: Mapping[str, str] | None = None, called: str = SYSTEM) -> str:
    """Say which measures agree most and least on the order of the systems, and whether any contradict each other.

    Args:
        titles: names of the measures; their keys by default.
        called: the word for a system, in the singular.
    """
    names = titles or {}
    known = sorted((one.tau, place) for place, one in enumerate(found.agreements) if one.tau is not None)
    over = f"{counted(len(found.systems), called)} on {counted(found.queries, 'query', 'queries')}"
    if not known:
        return f"No two measures rank {over}, because each gives all of them the same mean."
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
        said = f"all pairs of measures agree equally, tau {number(known[0][0], 2)}"
    against = {(one.a, one.b) for of in found.agreements for one in of.contradictions}
    pairs = {frozenset(pair) for pair in against}
    if not pairs:
        return f"{which}{said}. No pair of {called}s is significantly different in opposite directions by two of them."
    count = f"{counted(len(pairs), 'pair')} of {called}s {'is' if len(pairs) == 1 else 'are'}"
    return f"{which}{said}. {count} significantly different in opposite directions."


def measures_methods_sentence(found: MeasureComparison, called: str = SYSTEM) -> str:
    """Describe the comparison of measures for a paper."""
    return (
        f"Kendall's tau-b of the means of {counted(len(found.systems), called)} over "
        f"{counted(found.queries, 'query', 'queries')}; {100 * (1 - found.alpha):g} % percentile bootstrap intervals "
        f"over queries ({min(found.draws, TAU_DRAWS):,} draws). Discriminative power: the share of "
        f"{counted(found.pairs, 'pair')} of {called}s that are significantly different by a measure, two-sided, by "
        f"{PROCEDURE_NAMES[found.procedure]} over all pairs, alpha {found.alpha:g}; {found.draws:,} draws, seed "
        f"{found.seed}. A contradiction is a pair that is significantly "
        f"different by two measures, in opposite directions."
    )


# --- Which systems are significantly different, in words: a sentence per system, best mean first ---
# Together the sentences give every verdict of a comparison: each system is compared with those below it, or with the
# baseline.


def significance_sentence(found: Comparison) -> str:
    """Say how many pairs are significantly different. Empty if nothing was tested."""
    if found.note or len(found.systems) < 3 or not found.pairs:
        return ""
    apart = sum(pair.verdict == "better" for pair in found.pairs)
    family = "" if found.baseline is None else f" with {found.baseline}"
    pairs = f"{counted(len(found.pairs), 'pair')}{family}"
    share = f"All {pairs} are" if apart == len(found.pairs) else f"{apart:,} of {pairs} {'is' if apart == 1 else 'are'}"
    return f"{share if apart else f'None of {pairs} is'} significantly different."


def significance_sentences(found: Comparison) -> tuple[str, ...]:
    """Say which systems are better than which, and which are not significantly different.

    Empty if nothing was tested, for two systems (`qc4.stats.pair_sentence` says all of them), and if no pair is
    significantly different (`significance_sentence` says that).
    """
    if found.note or len(found.systems) < 3 or not any(pair.verdict == "better" for pair in found.pairs):
        return ()
    return _against_baseline(found, found.baseline) if found.baseline else _downwards(found)


def _downwards(found: Comparison) -> tuple[str, ...]:
    names = [system.system for system in found.systems]
    sentences = []
    for place, name in enumerate(names[:-1]):
        below = names[place + 1 :]
        worse = [other for other in below if found.pair(name, other).verdict == "better"]
        sentences.append(_sentence(name, worse, [other for other in below if other not in set(worse)]))
    return tuple(sentences)


def _sentence(name: str, worse: Sequence[str], like: Sequence[str]) -> str:
    """Compare one system with those below it. The shorter list is named, the longer counted."""
    if not like:
        return f"{name} is better than {_all_below(worse, 'each')}."
    if not worse:
        return f"{name} is not significantly different from {_all_below(like, 'any')}."
    if len(like) <= len(worse):
        return f"{name} is not significantly different from {join_names(like, 'or')}; it is better than {_rest(worse)}."
    return f"{name} is better than {join_names(worse, 'and')}; it is not significantly different from {_rest(like)}."


def _all_below(names: Sequence[str], which: str) -> str:
    return names[0] if len(names) == 1 else f"{which} of the {len(names):,} below it"


def _rest(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"the other {len(names):,} below it"


def _against_baseline(found: Comparison, baseline: str) -> tuple[str, ...]:
    groups: dict[str, list[str]] = {"better": [], "worse": [], "like": []}
    for system in found.systems:
        if system.system != baseline:
            pair = found.pair(system.system, baseline)
            is_apart = pair.verdict == "better"
            groups[("worse" if pair.a == baseline else "better") if is_apart else "like"].append(system.system)
    words = {
        "better": f"Better than {baseline}:",
        "like": f"Not significantly different from {baseline}:",
        "worse": f"Worse than {baseline}:",
    }
    return tuple(f"{words[group]} {', '.join(groups[group])}." for group in words if groups[group])


# --- Works that a comparison used ---

LETTERS = "piepho2004"
REPEATS = "henderson1953"


def comparison_bibtex(found: Comparison) -> str:
    """Return the works behind a comparison, and the software, as BibTeX."""
    keys = [SOFTWARE]
    if not found.note:
        keys += REGISTRY[found.method.procedure].works
        keys += [LETTERS] if any(system.compact_letter_display for system in found.systems) else []
        keys += [REPEATS] if found.repeats is not None else []
    return bibtex(keys)
