"""Bounds: too much work is rejected by one check with one message, before anything is computed."""

from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest

from qc4 import score
from qc4.inputs import co_membership
from qc4.inputs.points import ClusteredPoints
from qc4.inputs.undefined import Undefined, check_bound
from qc4.measures import labels as wording
from qc4.measures import overlap as element
from qc4.measures import overlap as walk
from qc4.measures import tree as dendrogram_purity
from qc4.measures import tree as triplets
from qc4.measures.internal import cdbw, centres, correlation, graph
from qc4.measures.internal import centres as silhouette
from qc4.measures.qc4 import prepared
from qc4.measures.registry import REGISTRY
from qc4.model import bounds
from qc4.model import tree as dendrogram
from qc4.model.bounds import Bound
from qc4.model.case import Case
from qc4.model.policies import Policies
from qc4.problems import InputError
from tests.paths import DOCS
from tests.qc4.small_cases import clustering, gold, nested

READING = Bound(999, "pages", "each is read", "Use fewer pages.")
MESSAGE = "points: found 1,000 pages (10 x 100); expected at most 999, because each is read. Use fewer pages."
TABLE = {name: bound for name, bound in vars(bounds).items() if isinstance(bound, Bound)}

POINTS = ClusteredPoints.from_labels(np.array([[0.0], [1.0], [4.0], [5.0]]), [0, 0, 1, 1])


def chain() -> Case:
    """Three topics connected by common pages, and clusters connected in the same way."""
    return Case.build(gold(4, [[0, 1, 2], [1, 2], [2, 3]]), clustering([0, 1, 2], [1, 2, 3]))


def labels() -> Case:
    return Case.build(gold(2, [[0, 1]]), nested([[0], [1]], [-1, -1], ["red cat", "red car"]))


MEASURED = [
    (silhouette, "DISTANCES", "silhouette", 4),
    (graph, "DISTANCES", "dunn", 4),
    (correlation, "RANKED_DISTANCES", "c_index", 4),
    (centres, "CENTRES", "davies_bouldin", 2),
    (centres, "MASKED_PAGES", "davies_bouldin", 8),
    (centres, "MASKED_PAGES", "calinski_harabasz", 8),
    (cdbw, "CDBW_CLUSTERS", "cdbw", 2),
    (cdbw, "CDBW_PAGES", "cdbw", 8),
    (element, "PAGE_GROUPS", "ecs", 16),
    (walk, "LINKED_SETS", "ecs", 3),
    (co_membership, "PAGE_GROUPS", "bcubed_precision", 9),
    (triplets, "TRIPLETS", "triplet_agreement", 4),
    (dendrogram_purity, "PURITY_PAIRS", "dendrogram_purity", 21),
    (wording, "LABEL_PAIRS", "label_distinct", 6),
]


@pytest.mark.parametrize(
    ("module", "name", "key", "size"), MEASURED, ids=[f"{key}-{name}" for _, name, key, _ in MEASURED]
)
def test_a_measure_is_undefined_only_above_its_bound(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, key: str, size: int
) -> None:
    def value() -> float:
        measure = REGISTRY.get(key)
        if measure.family == "internal":
            return measure.function(ClusteredPoints.from_labels(POINTS.points, POINTS.labels))
        case = labels() if key.startswith("label") else chain()
        return measure.compute(case, measure.view.levels(case.gold)[0], Policies())

    bound = getattr(module, name)
    monkeypatch.setattr(module, name, replace(bound, most=size))
    assert np.isfinite(value())
    monkeypatch.setattr(module, name, replace(bound, most=size - 1))
    with pytest.raises(Undefined, match=rf": found {size} {bound.unit}.*; expected at most {size - 1}, because "):
        value()


def test_qc4_rejects_more_pages_than_it_can_compare_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "QC4_PAGES", replace(bounds.QC4_PAGES, most=3))
    assert score(gold(3, [[0, 1], [2]]), clustering([0, 1, 2]))
    with pytest.raises(InputError, match="gold standard: found 4 pages; expected at most 3, because QC4 compares F"):
        score(gold(4, [[0, 1], [2, 3]]), clustering([0, 1]))


def test_a_linkage_with_too_many_memberships_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    merges = dendrogram.Dendrogram.of([[0, 1, 1.0, 2], [2, 3, 2.0, 3]])
    monkeypatch.setattr(dendrogram, "LINKAGE", replace(bounds.LINKAGE, most=5))
    assert {node: pages.size for node, pages in merges.members([3, 4]).items()} == {3: 2, 4: 3}
    with pytest.raises(
        InputError, match=r"linkage: found 6 memberships; expected at most 5, .* Use the argument cut or clusters"
    ):
        merges.members([2, 3, 4])


def test_the_message_names_place_size_bound_and_fix() -> None:
    with pytest.raises(InputError) as refused:
        READING.check(1_000, "points", "10 x 100")
    assert [problem.code for problem in refused.value.problems] == ["too-large"]
    assert str(refused.value) == MESSAGE
    with pytest.raises(Undefined) as undefined:
        check_bound(READING, 1_000, "points", "10 x 100")
    assert str(undefined.value) == MESSAGE


@pytest.mark.parametrize("bound", TABLE.values(), ids=TABLE)
def test_only_sizes_above_the_bound_are_rejected(bound: Bound) -> None:
    bound.check(bound.most, "input")
    with pytest.raises(InputError, match=rf"^input: found {bound.most + 1:,} {bound.unit}; expected at most"):
        bound.check(bound.most + 1, "input")


@pytest.mark.parametrize("bound", TABLE.values(), ids=TABLE)
def test_every_bound_is_documented(bound: Bound) -> None:
    text = (DOCS / "users" / "limits.md").read_text(encoding="utf-8")
    assert f"| {bound.most:,} {bound.unit} |" in text
