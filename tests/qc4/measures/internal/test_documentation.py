"""The page on internal measures keeps up with the catalogue and with the study it quotes."""

import re

import pytest

from qc4.measures.internal.cdbw import MOST_CLUSTERS, MOST_WORK
from qc4.measures.internal.centres import MOST_CENTRES, MOST_MASKED
from qc4.measures.internal.correlation import MOST_RANKED
from qc4.measures.internal.pairs import MOST_PAIRS
from qc4.measures.registry import REGISTRY
from tests.places import DOCS

TEXT = (DOCS / "users" / "internal-measures.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("measure", REGISTRY.family("internal"), ids=lambda measure: measure.key)
def test_every_measure_has_a_row_with_its_direction(measure):
    row = re.search(rf"^\| `{measure.key}` \| (.) \| (\S+) … ", TEXT, re.MULTILINE)
    assert row is not None
    assert row[1] == {"higher": "↑", "lower": "↓"}[measure.better]
    assert row[2].replace("−", "-") == f"{measure.low:g}"


@pytest.mark.parametrize("limit", [MOST_CENTRES, MOST_MASKED, MOST_CLUSTERS, MOST_WORK, MOST_RANKED, MOST_PAIRS])
def test_every_limit_is_stated(limit):
    assert f"{limit:,}" in TEXT


def test_measures_without_a_formula_are_listed():
    for name in ("Fagan", "Z score", "D index", "Deviation", "ARC", "Ratio of repetition", "Tau A", "Tau C"):
        assert name in TEXT
