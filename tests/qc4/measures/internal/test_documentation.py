"""The documentation of internal measures agrees with the catalogue and with the study that it quotes."""

import re

import pytest

from qc4.measures.registry import REGISTRY
from qc4.model.bounds import CDBW_CLUSTERS, CDBW_PAGES, CENTRES, DISTANCES, MASKED_PAGES, RANKED_DISTANCES
from tests.paths import DOCS

TEXT = (DOCS / "users" / "internal-measures.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("measure", REGISTRY.family("internal"), ids=lambda measure: measure.key)
def test_every_measure_has_a_row_with_its_direction(measure):
    row = re.search(rf"^\| `{measure.key}` \| (.) \| (\S+) … ", TEXT, re.MULTILINE)
    assert row is not None
    assert row[1] == {"higher": "↑", "lower": "↓"}[measure.better]
    assert row[2].replace("−", "-") == f"{measure.low:g}"


@pytest.mark.parametrize(
    "bound",
    [CDBW_CLUSTERS, CDBW_PAGES, CENTRES, DISTANCES, MASKED_PAGES, RANKED_DISTANCES],
    ids=lambda bound: bound.unit,
)
def test_every_limit_is_stated(bound):
    assert f"{bound.most:,} {bound.unit}" in TEXT


def test_measures_without_a_formula_are_listed():
    for name in ("Fagan", "Z score", "D index", "Deviation", "ARC", "Ratio of repetition", "Tau A", "Tau C"):
        assert name in TEXT
