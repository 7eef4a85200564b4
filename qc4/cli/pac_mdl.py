"""The command ``pac-mdl``: rank clusterings of one query by their bound on prediction errors."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from qc4.arrays import IntArray
from qc4.cli.clusterings import clusterings_of_query
from qc4.inputs.partition import ON_PAGES
from qc4.inputs.undefined import Undefined
from qc4.io import read_clusterings, read_gold
from qc4.model.case import Case
from qc4.model.clustering import Clustering
from qc4.model.gold_standard import GoldStandard
from qc4.model.noise import noise_option
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem, ProblemList
from qc4.records import to_json
from qc4.scoring.scoring import collect_errors
from qc4.selection import FRACTIONS, Candidate, Choice, ModelSelection, labels_and_clusters, select_model
from qc4.tables import Table, as_text, paragraph
from qc4.wording import percentage, printable

INITIALISATION_NAMES = ("initialisation", "seed")
CLUSTER_NAMES = ("k", "clusters")
NO_GUARANTEE = "a stratified sample, for which the bound is not guaranteed"


def pac_mdl(options: argparse.Namespace) -> str:
    """Run ``pac-mdl``: return the best clusterings of a sweep as tables, or everything as JSON.

    Raises:
        InputError: everything that is wrong with the files, the options, or the comparability of the clusterings.
    """
    fractions = _fractions(options.fractions)
    policies = Policies(**{name: getattr(options, name) for name in ON_PAGES})
    noise = noise_option(options.noise)
    gold = read_gold(options.gold, options.completion)
    if options.level not in gold.hierarchy.levels:
        expected = f"one of {', '.join(map(str, gold.hierarchy.levels))}"
        raise InputError([Problem("unknown-level", "--level", str(options.level), expected)])
    problems = ProblemList()
    labels: list[IntArray] = []
    candidates: list[Candidate] = []
    starts: Counter[tuple[str, int]] = Counter()
    for path in options.clusterings:
        with collect_errors(problems):
            for clustering in clusterings_of_query(gold, read_clusterings(path, noise=noise), Path(path).name):
                with collect_errors(problems, Path(path).name):
                    codes, candidate = _candidate(gold, clustering, options.level, policies, starts)
                    labels.append(codes)  # the same for every clustering
                    candidates.append(candidate)
    problems.refuse_errors()
    try:
        found = select_model(labels[0], candidates, fractions, options.seed, options.delta, sampling=options.sampling)
    except Undefined as reason:
        raise InputError([Problem("undefined", options.gold, str(reason), "two pages or more")]) from None
    if options.format == "json":
        return to_json(found.to_dict())
    return selection_table(found)


def selection_table(found: ModelSelection) -> str:
    """Return the figures of the paper as tables, at the training fraction nearest to a half."""
    half = min(found.fractions, key=lambda fraction: abs(fraction - 0.5))
    holds = f"bounds hold with probability {1 - found.delta:g}" if found.sampling == "uniform" else NO_GUARANTEE
    title = f"{found.pages} pages, {found.labels} labels; {holds}"
    languages = [
        [f"  {mean.language}", percentage(mean.rate, digits=2), f"of {mean.choices}"] for mean in found.languages(half)
    ]
    return as_text(
        [
            paragraph([title]),
            _choices(
                f"Best initialisation of each algorithm and number of clusters, {percentage(half)} train pages",
                found.best_starts(half),
            ),
            _choices(
                f"Best number of clusters of each algorithm, {percentage(half)} train pages", found.best_clusters(half)
            ),
            _choices("Best clustering of all, by share of train pages", found.over_fractions()),
            Table(languages, (1,), f"The four languages, {percentage(half)} train pages (mean of their best)"),
        ]
    )


def _choices(title: str, choices: Iterable[Choice]) -> Table:
    rows = [
        [
            *(f"  {percentage(choice.fraction)}", printable(str(choice.algorithm))),
            *(str(choice.clusters), str(choice.initialisation)),
            *(percentage(rate, digits=2) for rate in (choice.rate, choice.test_rate, choice.constant_rate)),
        ]
        for choice in choices
    ]
    head = ["  train", "algorithm", "clusters", "initialisation", "bound", "test", "constant"]
    return Table([head, *(rows or [["  none: every clustering has a single cluster"]])], (0, 2, 3, 4, 5, 6), title)


def _candidate(
    gold: GoldStandard, clustering: Clustering, level: int, policies: Policies, starts: Counter[tuple[str, int]]
) -> tuple[IntArray, Candidate]:
    case = Case.build(gold, clustering)
    try:
        labels, clusters = labels_and_clusters(case, level, policies)
    except Undefined as reason:
        raise InputError([Problem("not-a-partition", "clusters", str(reason), "a partition, or a policy")]) from None
    asked = _whole_number(clustering, CLUSTER_NAMES) or max(case.n_clusters, 1)
    starts[clustering.algorithm, asked] += 1
    start = _whole_number(clustering, INITIALISATION_NAMES)
    number = starts[clustering.algorithm, asked] if start is None else start
    return labels, Candidate(clustering.algorithm, asked, number, clusters)


def _whole_number(clustering: Clustering, names: Iterable[str]) -> int | None:
    """Return the first of these parameters that is a whole number."""
    values = (clustering.parameters.get(name) for name in names)
    return next((value for value in values if isinstance(value, int) and not isinstance(value, bool)), None)


def _fractions(text: str | None) -> tuple[float, ...]:
    if text is None:
        return FRACTIONS
    try:
        return tuple(float(part) / 100 for part in text.split(","))
    except ValueError:
        expected = "percentages, separated by commas: 10,50,90"
        raise InputError([Problem("not-a-number", "--fractions", repr(text), expected)]) from None
