"""The registry of baselines, and `run`.

Pure functions of a query's documents and a seed: no database, no files, no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from evaluation.baselines import trivial
from evaluation.baselines.agglomerative import PARAMETERS as AGGLOMERATIVE_PARAMETERS
from evaluation.baselines.agglomerative import agglomerative
from evaluation.baselines.kmeans import PARAMETERS as KMEANS_PARAMETERS
from evaluation.baselines.kmeans import bisecting_kmeans, kmeans
from evaluation.baselines.suffix_tree_clustering import PARAMETERS as STC_PARAMETERS
from evaluation.baselines.suffix_tree_clustering import suffix_tree_clustering
from evaluation.baselines.task import BaselineResult, Parameter, Task, resolve
from evaluation.baselines.text import Source
from evaluation.limits import LARGEST_SEED
from qc4.model.clustering import Clustering
from qc4.model.gold_document import GoldDocument
from qc4.model.gold_standard import GoldStandard
from qc4.problems import InputError, Problem


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline and its properties.

    Attributes:
        key: permanent identifier.
        seeded: whether the clustering depends on the seed.
        repeated: meaningful only as the mean and spread of many draws, which count together.
        reference: a perfect or useless clustering, which leaderboards and charts show for scale and do not rank.
    """

    key: str
    title: str
    meaning: str
    function: Callable[[Task], BaselineResult]
    parameters: tuple[Parameter, ...] = ()
    source: Source = "snippet"
    needs_gold: bool = False
    needs_text: bool = False
    seeded: bool = False
    repeated: bool = False
    reference: bool = False

    @property
    def takes_k(self) -> bool:
        """True if the number of clusters can be chosen."""
        return any(parameter.key == "k" for parameter in self.parameters)

    @property
    def defaults(self) -> dict[str, Any]:
        return {parameter.key: parameter.default for parameter in self.parameters}

    def missing(self, document: GoldDocument, has_gold: bool) -> str:
        """What the query lacks for this baseline, in words; empty if the baseline can run."""
        if self.needs_gold and not has_gold:
            return "a gold standard"
        if self.needs_text and not any((page.text or "").strip() for page in document.pages):
            return "pages with full text"
        return ""


def _on_both_sources(key: str, title: str, meaning: str, **facts: Any) -> tuple[Baseline, Baseline]:
    return (
        Baseline(key, f"{title} (snippets)", f"{meaning}, on titles and snippets", **facts),
        Baseline(
            f"{key}_text", f"{title} (full text)", f"{meaning}, on titles and full text", source="text",
            needs_text=True, **facts,
        ),
    )  # fmt: skip


_ALL = (
    Baseline("gold", "Gold standard", "every topic of every level: a perfect score",
             trivial.gold_topics, needs_gold=True, reference=True),
    Baseline("singletons", "Singletons", "every page alone: pure and useless", trivial.singletons,
             reference=True),
    Baseline("one_cluster", "One cluster", "all pages together: complete and useless", trivial.one_cluster,
             reference=True),
    Baseline("random", "Random", "shuffled pages in clusters as large as the gold topics", trivial.random_clusters,
             (trivial.LEVEL, trivial.CLUSTERS), needs_gold=True, seeded=True, repeated=True,
             reference=True),
    *_on_both_sources("kmeans", "K-means", "K-means over TF-IDF vectors", function=kmeans,
                      parameters=KMEANS_PARAMETERS, seeded=True),
    *_on_both_sources("bisecting_kmeans", "Bisecting K-means", "the most spread out cluster cut in two, repeatedly",
                      function=bisecting_kmeans, parameters=KMEANS_PARAMETERS, seeded=True),
    *_on_both_sources("agglomerative", "Agglomerative", "Ward's hierarchical clustering over latent semantic vectors",
                      function=agglomerative, parameters=AGGLOMERATIVE_PARAMETERS, seeded=True),
    *_on_both_sources("stc", "Suffix Tree Clustering", "pages that share phrases (Zamir & Etzioni 1998)",
                      function=suffix_tree_clustering, parameters=STC_PARAMETERS),
)  # fmt: skip

BASELINES: Mapping[str, Baseline] = MappingProxyType({baseline.key: baseline for baseline in _ALL})
"""Baseline key -> baseline, in display order."""

MADE_FROM_GOLD = frozenset(key for key, baseline in BASELINES.items() if baseline.needs_gold)
"""Keys of baselines that contain parts of the gold standard, and so are made again for each gold version."""

REFERENCES = frozenset(key for key, baseline in BASELINES.items() if baseline.reference)
"""Keys of baselines that are reference clusterings, which are not ranked."""


def run(
    key: str,
    document: GoldDocument,
    gold: GoldStandard | None = None,
    seed: int = 0,
    parameters: Mapping[str, Any] | None = None,
) -> Clustering:
    """Cluster one query's pages with a baseline.

    Args:
        key: a key of `BASELINES`.
        document: the query's pages.
        gold: its gold standard; ignored by baselines that do not need it.
        seed: 0 to 2^32 - 1; the same seed, document and parameters give the same clustering.
        parameters: values that replace the baseline's defaults.

    Returns:
        A clustering whose ``parameters`` are the baseline's key, the seed, every parameter, and values derived from
        the data (the number of clusters).

    Raises:
        InputError: the key is unknown, the seed is out of range, a parameter is unknown or wrong, or the query lacks
            something that the baseline needs.
    """
    baseline = BASELINES.get(key)
    if baseline is None:
        raise InputError([Problem("unknown-baseline", "baseline", repr(key), f"one of {', '.join(BASELINES)}")])
    if not 0 <= seed <= LARGEST_SEED:
        raise InputError([Problem("seed", "seed", str(seed), f"a whole number from 0 to {LARGEST_SEED}")])
    settings = resolve(baseline.parameters, parameters or {}, f"baseline {key}")
    if missing := baseline.missing(document, gold is not None):
        where = f"baseline {key}, query {document.query_id!r}"
        raise InputError([Problem("baseline-needs", where, f"no {missing.removeprefix('a ')}", missing)])
    answer = baseline.function(Task(document, gold, seed, settings, baseline.source))
    recorded = {"baseline": key, "seed": seed, **settings, **answer.decided}
    return Clustering(document.query_id, answer.clusters, baseline.title, recorded)
