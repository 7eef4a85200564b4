"""PAC-MDL as a measure of the catalogue: the bound for one clustering, from a reproducible sample.

Source: seed 002 (Banerjee & Langford, An Objective Evaluation Criterion for Clustering, KDD 2004). The reasons for one
split with a fixed seed, and for using only the language ``simple``, are in docs/decisions/pac-mdl-in-the-catalogue.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from qc4.arrays import IntArray
from qc4.inputs.partition import ON_PAGES, page_codes
from qc4.inputs.result_list import rank_order
from qc4.inputs.undefined import Undefined
from qc4.inputs.view import EACH_LEVEL, Level, View
from qc4.measures.registry import measure
from qc4.model.case import Case
from qc4.model.labels import by_first_page
from qc4.model.policies import Policies
from qc4.selection.languages import bound
from qc4.selection.prediction import predict, train_pages
from qc4.wording import counted

TRAIN = 0.5
"""The fraction of pages with known labels. Changing this or the next two constants needs a new version of the
measure."""
SEED = 0
"""The seed of the sample, and of random choices if train pages are tied."""
DELTA = 0.1
"""The probability that the bound does not hold."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPages:
    """The counted pages, in the order of their ranks.

    Attributes:
        labels: (pages,) the topic on one level, coded 0, 1, .. in order of first page, without gaps.
        clusters: (pages,) the cluster, coded in the same way.
        flattened: True if pages in several topics or clusters were counted for the first one only.
    """

    labels: IntArray
    clusters: IntArray
    flattened: bool


def _labelled_pages(case: Case, level: Level, policies: Policies) -> LabelledPages:
    """Return the pages with their topic and cluster, under the scoring options.

    With ranks, which belong to pages, the sample does not depend on the stored order of pages, topics and clusters.

    Raises:
        Undefined: as for measures of partitions; ranks that are missing or repeated.
    """
    codes = page_codes(case, level, policies)
    order = rank_order(case.gold)
    kept = order[codes.universe[order]]
    return LabelledPages(by_first_page(codes.classes[kept]), by_first_page(codes.clusters[kept]), codes.flattened)


LABELLED: View[LabelledPages] = View(_labelled_pages, EACH_LEVEL, ON_PAGES, cuts=True)
"""Input of measures that learn from some pages and predict others, on each level of the gold standard.

Nested clusters are first flattened at a depth."""


@measure(
    LABELLED,
    key="pac_mdl",
    title="PAC-MDL",
    family="prediction",
    meaning="Bound on the fraction of pages that clusters predict wrongly, if half of all pages are labelled.",
    formula="max{b: Bucket(m, n, a, b) ≥ δ / l^c} / n",
    source="banerjee2004",
    better="lower",
    needs=("gold topics", "labelled sample", "page ranks"),
    version=2,
    degenerate="m pages are labelled, n are not; the clusters predict a of the m wrongly; l topics, c clusters, δ "
    "= 0.1 (the bound holds in 9 of 10 samples). The sample is half of the pages, drawn uniformly with seed 0 over "
    "pages by rank, so it is reproducible. This is a bound, not a similarity: even for perfect clusters "
    "it is above 0, and for a few dozen pages it is 1 and so uninformative. To choose from a parameter sweep "
    "use model selection, which accounts for the number of choices.",
    gold_is_best=False,
)
def pac_mdl(pages: LabelledPages) -> float:
    n = pages.labels.size
    if n < 2:
        raise Undefined(f"{counted(n, 'page')} cannot be split into labelled pages and pages to predict")
    found = predict(pages.labels, pages.clusters, train_pages(pages.labels, TRAIN, SEED), SEED)
    labels = int(pages.labels.max()) + 1
    most = bound(found.train, found.test, found.train_errors, labels, found.clusters, delta=DELTA)
    return most / found.test
