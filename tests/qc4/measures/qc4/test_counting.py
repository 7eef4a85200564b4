"""Common pages on coarser levels are counted in tables or from entries of the finer level, with equal results."""

import pytest
from hypothesis import given

from qc4.measures.qc4 import counting, qc4
from tests.qc4.measures.qc4.reference import Gold, Pages, reference_qc4
from tests.qc4.measures.qc4.strategies import cases, engine_case


@pytest.mark.parametrize("cells_per_key", [0, 2, 1_000], ids=["entries", "both", "tables"])
@given(cases())
def test_tables_and_entries_both_agree_with_the_reference(cells_per_key: int, drawn: tuple[Gold, list[Pages]]) -> None:
    gold, clusters = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "CELLS_PER_KEY", cells_per_key)
        found = qc4(engine_case(gold, clusters))
    expected = reference_qc4(gold, clusters)

    for cluster, parts in zip(found.clusters, expected.parts, strict=True):
        assert (cluster.level, cluster.best_topic) == (parts.level, str(parts.best_topic))
        assert cluster.f == pytest.approx(float(parts.f))
        assert cluster.entropy == pytest.approx(float(parts.entropy), rel=1e-9, abs=1e-9)
        assert cluster.s_recall == pytest.approx(float(parts.s_recall), rel=1e-9, abs=1e-9)
        assert cluster.quality == pytest.approx(float(parts.quality), rel=1e-9, abs=1e-9)
