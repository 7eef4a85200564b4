"""Wrong options are refused before anything is worked out: by pages, by their files and by the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.drafts.services.lifecycle import from_nothing
from annotations.models import Collection, Draft
from evaluation.models import Submission
from tests.samples.scores import give
from tests.stored_answers import leave_all_to_workers

EXPENSIVE = (
    "evaluation.ranking.standings.ColumnScores.ranked",
    "evaluation.ranking.standings.ColumnScores.comparison",
    "evaluation.boards.topic_coverage.selectors._counts",
    "evaluation.boards.measure_agreement.selectors.compare_measures",
    "evaluation.boards.robustness.selectors.robustness",
    "evaluation.boards.compare.pairs.where_better",
    "annotations.gold.selectors.document_bytes",
    "evaluation.selection.selectors.select_model",
    "annotations.workspace.selectors.predictions.suggest_topics",
    "annotations.agreement.selectors.compare",
)
"""What takes long."""

OF_CHOICE = (
    "sort=nonsense",
    "gold=99",
    "missing=nonsense",
    "query=nonsense",
    "algorithms=99999",
    "draws=x",
    "level=99",
)
PAGES = ("leaderboard", "compare", "topic-coverage", "robustness", "trade-off", "measures-compared")
FILES = ("json", "csv", "tex", "svg")
OWN = {
    "compare-csv": ("table=nonsense", "pair=1,2,3"),
    "compare-svg": ("picture=nonsense", "pair=99998,99999"),
    "compare-json": ("pair=99998,99999",),
    "compare": ("pair=99998,99999",),
    "measures-compared-csv": ("table=nonsense",),
    "measures-compared-svg": ("picture=nonsense",),
    "trade-off": ("weights=nonsense",),
    "trade-off-svg": ("figure=nonsense",),
    "heat-map-json": ("rows=nonsense", *OF_CHOICE),
    "heat-map-svg": ("rows=nonsense", "gold=99"),
    "api:heat-map": ("rows=nonsense", "gold=99"),
    "api:compare": ("pair=99998,99999", "nonsense=1"),
    "api:trade-off": ("weights=nonsense",),
}
"""Options of one address beside those that all of them take."""


def addresses() -> list[tuple[str, str]]:
    """Names of addresses of a collection, each with one wrong option."""
    files = [f"{name}-{kind}" for name in PAGES for kind in FILES if (name, kind) != ("leaderboard", "svg")]
    of_pages = [(name, option) for name in PAGES for option in OF_CHOICE]
    shared = of_pages + [(name, option) for name in files for option in ("missing=nonsense", "query=nonsense")]
    shared += [(f"api:{name}", option) for name in PAGES for option in ("draws=x", "gold=99")]
    return shared + [(name, option) for name, options in OWN.items() for option in options]


@pytest.fixture
def scored(collection: Collection, owner: User, monkeypatch: pytest.MonkeyPatch) -> Collection:
    """Two algorithms with scores; to work anything out fails."""
    give(collection, {"A": [0.2, 0.4], "B": [0.6, 0.7]}, owner)
    leave_all_to_workers(monkeypatch)

    def expensive(*_: object, **__: object) -> None:
        pytest.fail("this is worked out before the option is refused")

    for name in EXPENSIVE:
        monkeypatch.setattr(name, expensive, raising=False)
    return collection


@pytest.mark.parametrize(("name", "option"), addresses())
def test_nothing_is_worked_out_for_a_wrong_option(
    name: str, option: str, scored: Collection, owner: User, client: Client
) -> None:
    client.force_login(owner)
    status = client.get(f"{reverse(name, args=[scored.slug])}?{option}").status_code
    # A page shows what is wrong above what it shows by default, which may have to be worked out first.
    assert status == 400 or (name in PAGES and status == 202)


@pytest.fixture
def explained(collection: Collection, submitter: User, submit: Callable[..., Any], scored: Collection) -> Submission:
    found: Submission = submit(submitter)[0]
    return found


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("explain", "measures=nonsense"),
        ("explain", "unclustered=nonsense"),
        ("what-if", "unclustered=nonsense"),
        ("what-if", "nonsense=1"),
        ("chance", "draws=0"),
        ("chance", "seed=x"),
        ("alike", "against=x"),
        ("matrix", "nonsense=1"),
    ],
)
def test_no_gold_standard_is_read_for_a_wrong_option(
    name: str, option: str, explained: Submission, owner: User, client: Client
) -> None:
    client.force_login(owner)
    answer = client.get(f"{reverse(f'api:{name}', args=[explained.pk, 'mercury'])}?{option}")
    assert answer.status_code == 400


@pytest.mark.parametrize("option", ["level=nonsense", "minimum=2", "draft=x"])
@pytest.mark.parametrize("name", ["agreement-csv", "agreement-json", "api:agreement"])
def test_no_agreement_is_worked_out_for_a_wrong_option(
    name: str, option: str, scored: Collection, owner: User, client: Client
) -> None:
    client.force_login(owner)
    query = scored.queries.get(key="mercury")
    for label in ("one", "two"):
        from_nothing(query=query, user=owner, name=label, kind=Draft.Kind.SHARED)
    assert client.get(f"{reverse(name, args=[scored.slug, 'mercury'])}?{option}").status_code in {400, 404}
