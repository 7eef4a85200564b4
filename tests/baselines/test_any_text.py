"""Baselines accept any text that people upload."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.baselines import BASELINES, run
from qc4.model.gold_document import GoldDocument, Page
from tests.paths import DOCS

PAGE = DOCS / "users" / "baselines.md"

TEXT_METHODS = [key for key, baseline in BASELINES.items() if baseline.needs_text]
any_text = st.one_of(st.none(), st.text(max_size=60))
page_contents = st.lists(st.tuples(any_text, any_text, any_text), max_size=12)


@pytest.mark.parametrize("key", TEXT_METHODS)
@given(contents=page_contents, seed=st.integers(0, 2**32 - 1))
def test_any_unicode_text_is_clustered_into_existing_pages(key: str, contents: list, seed: int) -> None:
    contents = [*contents, ("Planet", "orbit", "The planet has an orbit.")]
    pages = tuple(Page(f"p{n}", n, None, *texts) for n, texts in enumerate(contents, start=1))
    document = GoldDocument("q", "q", pages)

    clusters = run(key, document, seed=seed).clusters

    known = {page.id for page in pages}
    assert all(cluster.pages and known.issuperset(cluster.pages) for cluster in clusters)
    assert all(max(Counter(cluster.pages).values()) == 1 for cluster in clusters)


@pytest.mark.parametrize("key", BASELINES)
def test_user_documentation_describes_every_baseline_and_parameter(key: str) -> None:
    described = PAGE.read_text(encoding="utf-8")

    assert f"`{key}`" in described
    for parameter in BASELINES[key].parameters:
        assert f"`{parameter.key}`" in described
        if parameter.default is not None:
            assert str(parameter.default) in described
