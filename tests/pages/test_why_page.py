"""Why this score: numbers as the engine gives them, and words that say what they mean."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.selectors import gold as golds
from evaluation import cases
from evaluation.models import Submission
from evaluation.selectors.explanation import Explanation
from evaluation.selectors.why import explain
from tests.pages.conftest import Visit
from tests.pages.words import flat
from tests.samples import mercury


def explanation_of(submission: Submission, key: str) -> Explanation:
    row = submission.clusterings.get(query__key=key)
    gold = row.query.golds.get()
    return explain(cases.case(row, gold), cases.clustering(row), golds.read(gold))


def test_the_steps_lead_from_1_to_the_quality(scored: Submission) -> None:
    for view in explanation_of(scored, "mercury").clusters:
        assert view.steps[0][1] == 1
        assert [step[1] for step in view.steps[1:]] == [step[2] for step in view.steps[:-1]]
        assert view.steps[-1][2] == pytest.approx(view.quality.quality)
        assert all(before >= after for _, before, after in view.steps)


def test_each_cluster_is_told_apart_in_one_sentence(scored: Submission) -> None:
    first, second, third = explanation_of(scored, "mercury").clusters
    assert first.sentence == "Exactly the 3 pages of Planet."
    assert second.sentence == "Exactly the 2 pages of Engines › Outboards."
    assert third.sentence.startswith("Mixed: 2 of its 3 pages are of Engines › Spare parts; 1 is an outlier")
    assert [page.page.id for page in third.foreign] == ["p8"]
    assert third.foreign[0].is_outlier


def test_topics_of_level_1_have_the_coverage_of_qc4(scored: Submission) -> None:
    found = explanation_of(scored, "mercury")
    by_name = {topic.id: topic.name for topic in mercury().topics}
    coverage = {by_name[topic.id]: topic.coverage for topic in found.result.topics}
    shown = {topic.name: topic.coverage for topic in found.topics if topic.depth == 0}
    assert shown == pytest.approx(coverage)
    assert [topic.name for topic in found.topics] == ["Planet", "Engines", "Outboards", "Spare parts"]


def test_removed_clusters_and_unclustered_pages_are_listed(
    visit: Visit, owner: User, submit: Callable[..., tuple[Submission, object]]
) -> None:
    submission, _ = submit(owner, "Junk", {"mercury": (("p8",), ("p1",))})
    found = explanation_of(submission, "mercury")
    assert [(removed.cluster.id, removed.n_outliers) for removed in found.removed] == [("c1", 1)]
    assert [one.page.id for one in found.unclustered] == ["p2", "p3", "p4", "p5", "p6", "p7"]
    page = visit(owner).get(reverse("why", args=[submission.pk, "mercury"])).content.decode()
    assert "1 of its 1 pages are outliers" in flat(page)


def test_an_empty_clustering_has_a_page(
    visit: Visit, owner: User, submit: Callable[..., tuple[Submission, object]]
) -> None:
    submission, _ = submit(owner, "Nothing", {"mercury": ()})
    page = visit(owner).get(reverse("why", args=[submission.pk, "mercury"])).content.decode()
    assert "No cluster counts" in page


def test_the_page_is_as_private_as_the_submission(
    visit: Visit, owner: User, reader: User, submit: Callable[..., tuple[Submission, object]]
) -> None:
    submission, _ = submit(owner, "Mine", published=False)
    address = reverse("why", args=[submission.pk, "mercury"])
    assert visit(owner).get(address).status_code == 200
    assert visit(reader).get(address).status_code == 404


def test_what_does_not_exist_is_not_found(visit: Visit, owner: User, scored: Submission) -> None:
    assert visit(owner).get(reverse("why", args=[scored.pk, "nope"])).status_code == 404
    address = reverse("why", args=[scored.pk, "mercury"])
    assert visit(owner).get(address, {"gold": "1"}).status_code == 200
    assert visit(owner).get(address, {"gold": "2"}).status_code == 404
    assert visit(owner).get(address, {"gold": "x"}).status_code == 404
