"""Statements of the catalogue and the documentation on measures, checked against values."""

from __future__ import annotations

import re

import pytest

from qc4 import score
from qc4.measures.registry import REGISTRY
from tests.paths import DOCS

TEN_OF_TEN = [page // 10 for page in range(100)]


def test_singletons_of_ten_equal_classes_have_class_entropy_0_5() -> None:
    """So neither entropy is a fraction of its maximum, and the catalogue must not say so."""
    found = score(TEN_OF_TEN, list(range(100)), ["class_entropy", "cluster_entropy"])
    assert found.value("class_entropy") == pytest.approx(0.5)
    assert found.value("cluster_entropy") == 0.0
    assert "0.5 for ten classes of ten pages" in REGISTRY.get("class_entropy").degenerate
    for key in ("class_entropy", "cluster_entropy"):
        assert "share of the most" not in REGISTRY.get(key).meaning


def test_cluster_entropy_of_unequal_classes_is_below_1() -> None:
    assert score([0, 0, 0, 1], [0, 0, 0, 0], ["cluster_entropy"]).value("cluster_entropy") < 1


def test_hubert_gamma_cites_the_section_that_defines_it() -> None:
    """Section 17.1.3 is about pair counting; 17.1.4 defines the statistic."""
    assert "17.1.4" in REGISTRY.get("hubert_gamma").source


def test_reduced_information_of_singletons_is_negative_only_for_unequal_classes() -> None:
    key = "reduced_mutual_information"
    equal, unequal = [0] * 5 + [1] * 5, [0] * 8 + [1] * 2
    assert score(equal, list(range(10)), [key]).value(key) == pytest.approx(0.0, abs=1e-9)
    assert score(unequal, list(range(10)), [key]).value(key) < 0


@pytest.mark.parametrize("figure", ["Fig. 6 d", "Fig. 9 g and h", "Fig. 9 k and l"])
def test_the_cmm_page_lists_figures_that_differ(figure: str) -> None:
    text = (DOCS / "users" / "cmm.md").read_text()
    differences = text[text.index("Differences from the paper") :]
    assert re.search(rf"^- \*\*{figure}", differences, re.MULTILINE)
    assert "as printed" not in text
