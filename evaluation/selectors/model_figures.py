"""The six figures of the paper as rows of numbers, for one query or as means over several (docs/users/pac-mdl.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from evaluation.selectors.model_selection import Judged
from qc4.model_selection import Evaluation, Language, ModelSelection, over_queries
from qc4.problems.wording import counted

FIGURES = ("runs", "clusters", "algorithms", "fractions", "languages")


@dataclass(frozen=True, slots=True)
class Row:
    """What one mark of a figure shows.

    Attributes:
        algorithm, clusters, initialisation: None where it differs from query to query.
        bound, test_error, constant_error: shares of the test pages, 0 to 1, means over queries.
        ties, unlabelled: clusters whose label was drawn, among equally frequent ones or among all; means over queries.
        queries: over how many.
    """

    language: Language
    fraction: float
    algorithm: str | None
    clusters: int | None
    initialisation: int | None
    bound: float
    test_error: float
    constant_error: float
    ties: float
    unlabelled: float
    queries: int


@dataclass(frozen=True, slots=True)
class Figures:
    """Fig. 1 (runs), 2 (clusters), 3 (algorithms), 4 and 5 (fractions), 6 (languages), and what they say."""

    runs: tuple[Row, ...]
    clusters: tuple[Row, ...]
    algorithms: tuple[Row, ...]
    fractions: tuple[Row, ...]
    languages: tuple[tuple[Language, float], ...]
    sentences: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            **{name: [asdict(row) for row in getattr(self, name)] for name in FIGURES[:4]},
            "languages": [{"language": language, "bound": rate} for language, rate in self.languages],
            "sentences": list(self.sentences),
        }


def figures(judged: Judged) -> Figures | None:
    """The figures of what is judged so far; None if that is nothing."""
    selections = list(judged.selections.values())
    if not selections:
        return None
    fraction, language = judged.choices.fraction, judged.choices.language
    together = over_queries(selections)
    picks = [
        choice.evaluation
        for selection in selections
        for choice in selection.over_fractions()
        if choice.evaluation.fraction == fraction
    ]
    return Figures(
        runs=_rows(
            "simple", (run for one in selections for run in one.at(fraction)), "algorithm clusters initialisation"
        ),
        clusters=_rows(language, _best_starts(selections, fraction, language), "algorithm clusters"),
        algorithms=_rows(
            "cluster",
            (choice.evaluation for one in selections for choice in one.best_clusters(fraction)),
            "algorithm",
        ),
        fractions=_rows(
            "algo", (choice.evaluation for one in selections for choice in one.over_fractions()), "fraction"
        ),
        languages=tuple(together.languages(fraction).items()),
        sentences=_sentences(selections, picks, judged.choices.delta),
    )


def to_dict(judged: Judged) -> dict[str, Any]:
    """Everything the page shows; ``complete`` says whether every query is in it."""
    found = figures(judged)
    return {
        "choices": asdict(judged.choices),
        "complete": judged.pending == 0,
        "pending": judged.pending,
        "queries": sorted(judged.selections),
        "settings": [asdict(setting) for setting in judged.settings],
        "undefined": judged.undefined,
        "left_out": {key: list(words) for key, words in judged.left_out.items()},
        "figures": found.to_dict() if found else None,
    }


def _best_starts(selections: Sequence[ModelSelection], fraction: float, language: Language) -> Iterable[Evaluation]:
    """Of every query the start with the least bound in that language, per algorithm and number of clusters."""
    for selection in selections:
        best: dict[tuple[str, int], tuple[float, Evaluation]] = {}
        for found in selection.at(fraction):
            rate, place = found.rate(language), (found.algorithm, found.clusters)
            if rate is not None and (place not in best or rate < best[place][0]):
                best[place] = rate, found
        yield from (found for _, found in best.values())


def _rows(language: Language, evaluations: Iterable[Evaluation], group: str) -> tuple[Row, ...]:
    """One row per group (names of attributes), in the order they come in."""
    names = (*group.split(), "fraction")
    members: dict[tuple[Hashable, ...], list[Evaluation]] = {}
    for found in evaluations:
        members.setdefault(tuple(getattr(found, name) for name in names), []).append(found)
    return tuple(_mean(language, found) for found in members.values())


def _mean(language: Language, found: Sequence[Evaluation]) -> Row:
    algorithms, clusters, starts = (
        {getattr(one, name) for one in found} for name in ("algorithm", "clusters", "initialisation")
    )
    return Row(
        language=language,
        fraction=found[0].fraction,
        algorithm=algorithms.pop() if len(algorithms) == 1 else None,
        clusters=clusters.pop() if len(clusters) == 1 else None,
        initialisation=starts.pop() if len(starts) == 1 else None,
        bound=fmean(rate for one in found if (rate := one.rate(language)) is not None),
        test_error=fmean(one.test_rate for one in found),
        constant_error=fmean(one.constant_rate for one in found),
        ties=fmean(one.prediction.ties for one in found),
        unlabelled=fmean(one.prediction.unlabelled for one in found),
        queries=len(found),
    )


def _sentences(selections: Sequence[ModelSelection], picks: Sequence[Evaluation], delta: float) -> tuple[str, ...]:
    """What the bound picks, and whether it says anything."""
    if not picks:
        return ("Every clustering has a single cluster, which leaves nothing to choose.",)
    mean = _mean("algo", picks)
    first = _pick(selections, picks)
    holds = f"with probability {1 - delta:g}"
    if len(picks) == 1:
        second = f"At most {_percent(mean.bound)} of the test pages get a wrong label, {holds}"
    else:
        second = f"The bounds, each of which holds {holds}, are {_percent(mean.bound)} of the test pages on average"
    wrong, constant = _percent(mean.test_error), _percent(mean.constant_error)
    second += f"; really wrong are {wrong}, and the best constant classifier errs on {constant}."
    if mean.bound < mean.constant_error:
        return first, second
    return first, second, "A bound above the constant classifier's error proves nothing about the clusters."


def _pick(selections: Sequence[ModelSelection], picks: Sequence[Evaluation]) -> str:
    """Who has the least bound; algorithms that share it are all named or counted."""
    winners = [names for selection in selections if (names := _least(selection, picks[0].fraction))]
    if len(picks) == 1:
        pick = picks[0]
        others = [name for name in winners[0] if name != pick.algorithm]
        shared = f"; {' and '.join(others)} can do with the same bound" if others else ""
        return (
            f"The bound picks {pick.algorithm} with {counted(pick.clusters, 'cluster')} "
            f"(start {pick.initialisation}){shared}."
        )
    (algorithm, often), *_ = Counter(name for names in winners for name in names).most_common(1)
    alone = sum(names == [algorithm] for names in winners)
    (clusters, times), *_ = Counter(pick.clusters for pick in picks).most_common(1)
    return (
        f"{algorithm} has the least bound most often: on {often} of {len(picks)} queries, alone on {alone}. "
        f"The bound picks {counted(clusters, 'cluster')} most often, on {times}."
    )


def _least(selection: ModelSelection, fraction: float) -> list[str]:
    """The algorithms that share the least bound (in language cluster, which orders them as algo does)."""
    best = selection.best_clusters(fraction)
    least = min((choice.rate for choice in best), default=None)
    return [choice.evaluation.algorithm for choice in best if choice.rate == least]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
