"""Model selection: the choice of algorithm, number of clusters and initialisation by the bound on test errors.

Source: seed 002 (Banerjee & Langford, An Objective Evaluation Criterion for Clustering, KDD 2004), sections 3 and 4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from qc4.arrays import IntArray
from qc4.inputs.partition import page_codes
from qc4.inputs.undefined import Undefined
from qc4.inputs.view import cut
from qc4.model.case import Case
from qc4.model.labels import by_first_page
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem, ProblemList
from qc4.progress import track_progress
from qc4.selection.figures import Figures
from qc4.selection.languages import LANGUAGES, bound
from qc4.selection.prediction import FRACTIONS, SAMPLINGS, Evaluation, Prediction, Sampling, predict, train_pages
from qc4.wording import percentage, quoted

# --- Candidates for model selection: clusterings of the same labelled pages ---


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One clustering of a parameter sweep.

    Attributes:
        algorithm: the name of its algorithm.
        clusters: the requested number of clusters; the actual number may differ.
        initialisation: the number of its random initialisation (1, 2, ...) or a seed.
        cluster_of: (pages,) the cluster of each page; arbitrary codes, each of which is a cluster, including -1.
    """

    algorithm: str
    clusters: int
    initialisation: int
    cluster_of: IntArray

    @property
    def place(self) -> tuple[str, int, int]:
        return self.algorithm, self.clusters, self.initialisation


def check_candidates(labels: IntArray, candidates: Sequence[Candidate]) -> None:
    """Raise InputError if candidates cannot be compared.

    Raises:
        InputError: no candidates, two with the same position in the sweep, or one with other pages than ``labels``.
    """
    problems = ProblemList()
    if not candidates:
        problems.error("no-clusterings", "clusterings", "none", "at least one clustering")
    if not labels.size:
        problems.error("no-pages", "pages", "an empty page list", "at least one page")
    places: set[tuple[str, int, int]] = set()
    for number, candidate in enumerate(candidates):
        where = f"clusterings[{number}] ({quoted(candidate.algorithm)})"
        if candidate.place in places:
            found = (
                f"a second clustering with {candidate.clusters} clusters and initialisation {candidate.initialisation}"
            )
            problems.error("clustering-twice", where, found, "a different algorithm, clusters or initialisation")
        places.add(candidate.place)
        if candidate.cluster_of.shape != labels.shape:
            found = f"clusters of {len(candidate.cluster_of)} pages"
            problems.error("wrong-length", where, found, f"a cluster for each of the {labels.size} pages")
        if candidate.clusters < 1:
            problems.error("out-of-range", where, f"{candidate.clusters} clusters", "1 or more")
    problems.refuse_errors()


def labels_and_clusters(case: Case, level: int, policies: Policies) -> tuple[IntArray, IntArray]:
    """Return (pages,) label codes and (pages,) cluster codes of a clustering, under the scoring options.

    Nested clusters are flattened at the depth of the level. The pages depend on the gold standard alone, so that
    clusterings of one query are comparable: the option ``unclustered=drop`` is rejected.

    Raises:
        Undefined: pages are in several topics or clusters and ``overlap`` is ``refuse``, or no page remains.
        InputError: ``unclustered=drop``.
    """
    if policies.unclustered == "drop":
        expected = "singletons or together, as every clustering must be evaluated on the same pages"
        raise InputError([Problem("unknown-policy-choice", "policies.unclustered", "'drop'", expected)])
    codes = page_codes(cut(case, level), level, policies)
    return by_first_page(codes.classes[codes.universe]), codes.clusters[codes.universe]


ONE_CLUSTER = "a single cluster: the languages cluster and algo use c(c - 1), which is then 0"


@dataclass(frozen=True, slots=True)
class ModelSelection(Figures):
    """Every clustering of one query's parameter sweep on every split, and the data of the paper's figures.

    Attributes:
        pages, labels: the numbers of pages and of different labels.
        delta, seed, sampling: as given.
        algorithms: names of the algorithms, in the order of the sweep.
    """

    KEYS = "pages labels delta seed sampling algorithms fractions evaluations over_fractions at_fraction"

    pages: int
    labels: int
    delta: float
    seed: int
    sampling: Sampling
    algorithms: tuple[str, ...]

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """All evaluations, by fraction and then in the order of the sweep."""
        return self.sweeps[0]

    def at(self, fraction: float) -> tuple[Evaluation, ...]:
        """Return the evaluations at one fraction."""
        return tuple(found for found in self.evaluations if found.fraction == fraction)


def select_model(
    labels: Sequence[object] | IntArray,
    candidates: Sequence[Candidate],
    fractions: Sequence[float] = FRACTIONS,
    seed: int = 0,
    delta: float = 0.1,
    progress: Callable[[int, int], None] = lambda done, total: None,
    sampling: Sampling = "uniform",
) -> ModelSelection:
    """Evaluate every clustering of a parameter sweep on every split.

    All clusterings use the same splits. Bounds use the requested or the actual number of clusters, whichever is larger,
    so no bound is too small. ``initialisations`` is the number of random initialisations with the same algorithm and
    number of clusters, ``algorithms`` the number of algorithms in the sweep.

    Args:
        labels: (pages,) the true label of each page; any hashable values.
        candidates: the clusterings.
        fractions: fractions of the pages in the train set, each above 0 and below 1.
        seed: the seed of the splits and of random choices; 0 or more.
        delta: probability that a bound does not hold, over splits drawn uniformly.
        progress: called with (done, total) after each clustering and split.
        sampling: ``uniform``, or ``stratified`` for the same fraction of each label, for which no bound holds.

    Raises:
        Undefined: there is only one page, so there is none to predict.
        InputError: clusterings that cannot be compared, a fraction or seed out of range, or an unknown sampling.
    """
    codes = by_first_page(labels)
    check_candidates(codes, candidates)
    if seed < 0:
        raise InputError([Problem("out-of-range", "seed", str(seed), "0 or more")])
    if sampling not in SAMPLINGS:
        raise InputError([Problem("unknown-choice", "sampling", repr(sampling), f"one of {', '.join(SAMPLINGS)}")])
    outside = [fraction for fraction in fractions if not 0 < fraction < 1]
    if outside or not fractions:
        raise InputError([Problem("out-of-range", "fractions", str(outside), "fractions above 0 and below 1")])
    if codes.size == 1:
        raise Undefined("there is only one page, so there is none to predict")
    starts = Counter((candidate.algorithm, candidate.clusters) for candidate in candidates)
    algorithms = tuple(dict.fromkeys(candidate.algorithm for candidate in candidates))
    evaluations = []
    for fraction in track_progress(fractions, lambda fraction: f"{percentage(fraction)} of the pages for training"):
        train = train_pages(codes, fraction, seed, sampling)
        for candidate in candidates:
            prediction = predict(codes, candidate.cluster_of, train, seed)
            choices = starts[candidate.algorithm, candidate.clusters], len(algorithms)
            evaluations.append(_evaluate(candidate, fraction, prediction, int(codes.max()) + 1, choices, delta))
            progress(len(evaluations), len(fractions) * len(candidates))
    return ModelSelection((tuple(evaluations),), codes.size, int(codes.max()) + 1, delta, seed, sampling, algorithms)


def _evaluate(
    candidate: Candidate, fraction: float, prediction: Prediction, labels: int, choices: tuple[int, int], delta: float
) -> Evaluation:
    clusters = max(candidate.clusters, prediction.clusters)
    found, initialisation = prediction, candidate.initialisation
    languages = LANGUAGES if clusters > 1 else LANGUAGES[:2]
    bounds = tuple(
        (language, bound(found.train, found.test, found.train_errors, labels, clusters, language, *choices, delta))
        for language in languages
    )
    reason = "" if clusters > 1 else ONE_CLUSTER
    return Evaluation(candidate.algorithm, candidate.clusters, initialisation, fraction, prediction, bounds, reason)
