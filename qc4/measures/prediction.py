"""PAC-MDL as a measure of the catalogue: the bound for one clustering, from a sample that anyone can draw again.

Source: seed 002 (Banerjee & Langford, An Objective Evaluation Criterion for Clustering, KDD 2004). Why one split with a
fixed seed, and only the language ``simple``: docs/decisions/pac-mdl-in-the-catalogue.md.
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
"""Share of the pages whose labels are known. To change this or what follows is a new version of the measure."""
SEED = 0
"""Of the sample, and of what is drawn where train pages do not decide."""
DELTA = 0.1
"""Probability that the bound does not hold."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPages:
    """The pages that count, in the order of their ranks.

    Attributes:
        labels: (pages,) topic of one level, coded from 0 on by first page, every code in use.
        clusters: (pages,) the same for clusters.
        flattened: whether a page in several topics or clusters was counted for its first one only.
    """

    labels: IntArray
    clusters: IntArray
    flattened: bool


def _labelled_pages(case: Case, level: Level, policies: Policies) -> LabelledPages:
    """Pages with their topic and cluster, as the policies say.

    Ranks, which belong to pages, make the sample the same whatever order pages, topics and clusters are stored in.

    Raises:
        Undefined: as for measures of partitions; ranks that are missing or repeated.
    """
    codes = page_codes(case, level, policies)
    order = rank_order(case.gold)
    kept = order[codes.universe[order]]
    return LabelledPages(by_first_page(codes.classes[kept]), by_first_page(codes.clusters[kept]), codes.flattened)


LABELLED: View[LabelledPages] = View(_labelled_pages, EACH_LEVEL, ON_PAGES, cuts=True)
"""Measures that learn from some pages and predict others, on each level of the gold standard.

Nested clusters are cut at a depth first."""


@measure(
    LABELLED,
    key="pac_mdl",
    title="PAC-MDL",
    family="prediction",
    meaning="Bound on the share of pages that clusters predict wrongly, half of all pages being labelled.",
    formula="max{b: Bucket(m, n, a, b) ≥ δ / l^c} / n",
    source="banerjee2004",
    better="lower",
    needs=("gold topics", "labelled sample", "page ranks"),
    version=2,
    degenerate="m pages are labelled, n are not; the clusters are wrong about a of the m; l topics, c clusters, δ "
    "= 0.1 (in 9 of 10 draws the bound holds). The sample is half of the pages, drawn uniformly with seed 0 over "
    "pages by rank, so that anyone draws it again. A promise, not a similarity: perfect clusters too "
    "keep a bound above 0, and on a few dozen pages it is 1 and says nothing. To choose from a sweep "
    "use model selection: it pays for the choices made.",
    gold_is_best=False,
)
def pac_mdl(pages: LabelledPages) -> float:
    n = pages.labels.size
    if n < 2:
        raise Undefined(f"{counted(n, 'page')} cannot be divided into labelled pages and pages to predict")
    found = predict(pages.labels, pages.clusters, train_pages(pages.labels, TRAIN, SEED), SEED)
    labels = int(pages.labels.max()) + 1
    most = bound(found.train, found.test, found.train_errors, labels, found.clusters, delta=DELTA)
    return most / found.test
