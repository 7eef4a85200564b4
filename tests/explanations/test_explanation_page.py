"""The page Why this score: the engine's numbers, and sentences that explain them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.gold import selectors as golds
from annotations.gold.selectors import gold_tree
from evaluation.explanations import selectors as why_side
from evaluation.explanations import what_if as why_chance
from evaluation.explanations import what_if as why_changes
from evaluation.explanations.clusters import Explanation, explain
from evaluation.explanations.matrix import matrix
from evaluation.models import Submission
from evaluation.runs.services import enqueue_evaluation
from evaluation.scoring import cases
from qc4 import compare_clusterings
from qc4.measures.qc4 import qc4
from qc4.model.policies import Policies
from qc4.stats import number
from qc4.wording import decimals
from tests.fixtures.pages import Visit
from tests.page_text import flat
from tests.samples.documents import mercury


def explanation_of(submission: Submission, key: str) -> Explanation:
    row = submission.clusterings.get(query__key=key)
    gold = row.query.golds.get()
    return explain(cases.case(row, gold), cases.clustering(row), golds.load_gold_document(gold))


def test_steps_go_from_1_to_the_quality(scored: Submission) -> None:
    for view in explanation_of(scored, "mercury").clusters:
        assert view.steps[0][1] == 1
        assert [step[1] for step in view.steps[1:]] == [step[2] for step in view.steps[:-1]]
        assert view.steps[-1][2] == pytest.approx(view.quality.quality)
        assert all(before >= after for _, before, after in view.steps)


def test_each_cluster_is_described_in_one_sentence(scored: Submission) -> None:
    first, second, third = explanation_of(scored, "mercury").clusters
    assert first.sentence == "Exactly the 3 pages of Planet."
    assert second.sentence == "Exactly the 2 pages of Engines › Outboards."
    assert third.sentence.startswith("Partly mixed: 2 of its 3 pages are of Engines › Spare parts, 1 is an outlier")
    assert [page.page.id for page in third.foreign] == ["p8"]
    assert third.foreign[0].is_outlier


@pytest.mark.parametrize(
    ("first", "second", "rest"),
    [
        (("p1", "p2"), ("p3", "p6", "p7"), "; the other one is in “cluster 2”."),
        (("p1",), ("p2", "p3"), "; the other 2 are in “cluster 2”."),
    ],
)
def test_sentence_says_where_the_missing_pages_are(
    owner: User,
    submit: Callable[..., tuple[Submission, object]],
    first: tuple[str, ...],
    second: tuple[str, ...],
    rest: str,
) -> None:
    submission, _ = submit(owner, "Split", {"mercury": (first, second)})
    sentence = explanation_of(submission, "mercury").clusters[0].sentence
    assert sentence == f"Pure: {len(first)} of the 3 pages of Planet and nothing else{rest}"


def test_topics_of_level_1_have_the_coverage_of_qc4(scored: Submission) -> None:
    found = explanation_of(scored, "mercury")
    by_name = {topic.id: topic.name for topic in mercury().topics}
    row = scored.clusterings.get(query__key="mercury")
    result = qc4(cases.case(row, row.query.golds.get()))
    coverage = {by_name[topic.id]: topic.coverage for topic in result.topics}
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
    assert "Its only page is an outlier, so it does not count." in flat(page)


def test_empty_clustering_has_a_page(
    visit: Visit, owner: User, submit: Callable[..., tuple[Submission, object]]
) -> None:
    submission, _ = submit(owner, "Nothing", {"mercury": ()})
    page = visit(owner).get(reverse("why", args=[submission.pk, "mercury"])).content.decode()
    assert "No clusters to explain" in page


def test_page_is_as_private_as_the_submission(
    visit: Visit, owner: User, reader: User, submit: Callable[..., tuple[Submission, object]]
) -> None:
    submission, _ = submit(owner, "Mine", published=False)
    address = reverse("why", args=[submission.pk, "mercury"])
    assert visit(owner).get(address).status_code == 200
    assert visit(reader).get(address).status_code == 404


def test_unknown_pages_return_404(visit: Visit, owner: User, scored: Submission) -> None:
    assert visit(owner).get(reverse("why", args=[scored.pk, "nope"])).status_code == 404
    address = reverse("why", args=[scored.pk, "mercury"])
    assert visit(owner).get(address, {"gold": "1"}).status_code == 200
    assert visit(owner).get(address, {"gold": "2"}).status_code == 404
    assert visit(owner).get(address, {"gold": "x"}).status_code == 404


def test_clusters_are_listed_with_their_match(scored: Submission) -> None:
    first, _, third = explanation_of(scored, "mercury").clusters
    assert (first.match.precision, first.match.recall, first.quality.entropy) == (1, 1, 0)
    assert (third.match.common, third.match.precision) == (2, 2 / 3)


def test_classic_scores_are_the_means_of_their_terms(visit: Visit, owner: User, scored: Submission) -> None:
    """The page, the API and the engine have the same terms on the requested level, and their means are the scores."""
    address = reverse("why", args=[scored.pk, "mercury"])
    for level in ("1", "all"):
        response = visit(owner).get(address, {"level": level})
        shown = response.context["sides"][0].classic.found
        precisions = [row["precision"] for row in shown.clusters]
        recalls = [row["recall"] for row in shown.topics]
        assert shown.scores["ap"] == pytest.approx(sum(precisions) / len(precisions))
        assert shown.scores["ar"] == pytest.approx(sum(recalls) / len(recalls))
        page = flat(response.content.decode())
        assert f"AP {number(shown.scores['ap'])}" in page
        assert f"AR {number(shown.scores['ar'])}" in page
        found = visit(owner).get(reverse("api:explain", args=[scored.pk, "mercury"]), {"measures": "ap,ar"}).json()
        (terms,) = [one for one in found["classic"] if str(one["level"]) == level]
        assert [row["precision"] for row in terms["clusters"]] == precisions
        assert [row["recall"] for row in terms["topics"]] == recalls


def test_effect_of_dropping_a_cluster_is_on_the_page_and_in_the_url(
    visit: Visit, owner: User, scored: Submission
) -> None:
    address = reverse("why", args=[scored.pk, "mercury"])
    ids = [view.cluster.id for view in explanation_of(scored, "mercury").clusters]
    page = flat(visit(owner).get(address, {"drop": ids[2]}).content.decode())
    assert "One cluster dropped: QC4-F" in page
    assert f'name="drop" value="{ids[2]}"' in page
    both = flat(visit(owner).get(address, {"drop": ",".join(ids[1:])}).content.decode())
    assert "2 clusters dropped: QC4-F falls from" in both
    assert both.count(" checked>") == 2
    assert "dropped" not in flat(visit(owner).get(address).content.decode())


def test_impossible_changes_are_reported_above_the_page(visit: Visit, owner: User, scored: Submission) -> None:
    answer = visit(owner).get(reverse("why", args=[scored.pk, "mercury"]), {"drop": "nobody", "shade": "red"})
    assert answer.status_code == 400
    page = flat(answer.content.decode())
    assert "&#x27;nobody&#x27;" in page
    assert "&#x27;red&#x27;" in page
    assert "From 1 down to the quality" in page


def test_scoring_options_in_the_url_are_used(
    visit: Visit, owner: User, submit: Callable[..., tuple[Submission, object]]
) -> None:
    submission, _ = submit(owner, "Overlapping", {"mercury": (("p1", "p2"), ("p2", "p3"))})
    address = reverse("why", args=[submission.pk, "mercury"])
    ari = {"measures": "ari", "drop": "c2", "level": "1"}
    assert flat(visit(owner).get(address, ari).content.decode()).count(">undefined<") == 2
    assert ">undefined<" not in flat(visit(owner).get(address, {**ari, "overlap": "first"}).content.decode())
    assert visit(owner).get(address, {"overlap": "maybe"}).status_code == 400


def test_ticks_are_scored_with_the_scoring_options_shown(visit: Visit, owner: User, scored: Submission) -> None:
    """Options that are selected but not yet submitted have no effect, because the scores above do not use them."""
    page = visit(owner).get(reverse("why", args=[scored.pk, "mercury"]), {"recall": "standard"}).content.decode()
    ticks = page.split('class="scroll ticks"')[1].split(">")[0]
    sent = json.loads(unescape(re.findall(r"hx-vals='([^']+)'", ticks)[0]))
    assert sent == Policies(recall="standard").to_dict()
    assert 'hx-include="#choices input, [form=choices]"' in ticks


def test_common_pages_of_a_cell_are_listed(visit: Visit, owner: User, scored: Submission) -> None:
    address = reverse("why", args=[scored.pk, "mercury"])
    third = explanation_of(scored, "mercury").clusters[2]
    page = visit(owner).get(address, {"topic": third.quality.best_topic, "cluster": third.cluster.id})
    assert "2 pages in common" in flat(page.content.decode())
    outliers = visit(owner).get(address, {"topic": "", "cluster": third.cluster.id})
    assert "1 page in common" in flat(outliers.content.decode())
    assert visit(owner).get(address, {"topic": "nothing", "cluster": third.cluster.id}).status_code == 404


def test_matrix_follows_the_tree_and_sorts_clusters_by_best_topic(scored: Submission) -> None:
    row = scored.clusterings.get(query__key="mercury")
    gold = row.query.golds.get()
    found = matrix(cases.case(row, gold), cases.clustering(row), gold_tree(gold))
    assert [topic.name for topic in found.topics] == ["Planet", "Engines", "Outboards", "Spare parts", "outliers"]
    best = [found.topics[[topic.id for topic in found.topics].index(one.best_topic)].name for one in found.clusters]
    assert best == ["Planet", "Outboards", "Spare parts"]
    cells = {(found.topics[cell.topic].name, best[cell.cluster]): cell for cell in found.cells}
    assert (cells["Spare parts", "Spare parts"].pages, cells["outliers", "Spare parts"].pages) == (2, 1)
    assert cells["Spare parts", "Spare parts"].f == pytest.approx(2 / 3)
    assert cells["outliers", "Spare parts"].recall == 1
    assert ("Planet", "Outboards") not in cells
    roots = matrix(cases.case(row, gold), cases.clustering(row), gold_tree(gold), depth=1)
    assert [topic.name for topic in roots.topics] == ["Planet", "Engines", "outliers"]


def test_page_compares_scores_with_chance(visit: Visit, owner: User, scored: Submission) -> None:
    page = flat(visit(owner).get(reverse("why", args=[scored.pk, "mercury"])).content.decode())
    table = page.split('id="chance-this"')[1].split("</section>")[0]
    assert "200 times, seed 0" in table
    assert table.count('<th scope="row"') == 3


def test_two_algorithms_are_shown_side_by_side(
    visit: Visit, owner: User, scored: Submission, submit: Callable[..., tuple[Submission, object]]
) -> None:
    other, _ = submit(owner, "Another one", {"mercury": (("p1", "p2", "p3"), ("p4",))})
    address = reverse("why", args=[scored.pk, "mercury"])
    page = flat(visit(owner).get(address, {"against": other.pk, "against_drop": "c2"}).content.decode())
    assert "Another one" in page
    assert 'name="against_drop" value="c2"' in page
    assert page.split('id="answer"')[1].count("One cluster dropped") == 1
    assert 'id="chance-against"' in page


def test_page_of_two_algorithms_shows_their_similarity(
    visit: Visit,
    owner: User,
    scored: Submission,
    submit: Callable[..., tuple[Submission, object]],
) -> None:
    other, _ = submit(owner, "Another one", {"mercury": (("p1", "p2", "p3"), ("p4",))})
    address = reverse("why", args=[scored.pk, "mercury"])
    rows = [each.clusterings.get(query__key="mercury") for each in (scored, other)]
    pages = list(rows[0].query.pages.values_list("key", flat=True))
    found = compare_clusterings(*map(cases.clustering, rows), policies={"unit": "bits"}, pages=pages)
    page = flat(visit(owner).get(address, {"against": other.pk, "unit": "bits"}).content.decode())
    table = page.split('id="alike-title"')[1].split("</section>")[0]
    assert table.count('<th scope="row"') == sum(score.value is not None for score in found.scores)
    assert "Variation of information (bits)" in table
    cell = table.split("Variation of information (bits)")[1].split("</td>")[0]
    assert cell.endswith(f">{decimals(found.value('vi'))}")
    overlapping, _ = submit(owner, "Overlapping", {"mercury": (("p1", "p2"), ("p2", "p3"))})
    page = flat(visit(owner).get(address, {"against": overlapping.pk}).content.decode())
    table = page.split('id="alike-title"')[1].split("</section>")[0]
    assert "Undefined, 1 page in more than one cluster of the second:</span> Rand, Adjusted Rand, " in table
    assert "The first clustering is <bdi>Lingo</bdi>, the second <bdi>Overlapping</bdi>." in table
    assert 'id="alike-title"' not in visit(owner).get(address).content.decode()


def test_hidden_other_submission_is_not_revealed(
    visit: Visit, owner: User, reader: User, scored: Submission, submit: Callable[..., tuple[Submission, object]]
) -> None:
    hidden, _ = submit(owner, "Mine", published=False)
    address = reverse("why", args=[scored.pk, "mercury"])
    assert visit(owner).get(address, {"against": hidden.pk}).status_code == 200
    assert visit(reader).get(address, {"against": hidden.pk}).status_code == 404
    assert visit(owner).get(address, {"against": "x"}).status_code == 404


class TestWaysOn:
    """Links to other algorithms, gold versions and queries, and to the comparison of two algorithms."""

    def test_latest_visible_submission_of_each_algorithm_is_offered(
        self,
        visit: Visit,
        owner: User,
        reader: User,
        scored: Submission,
        submit: Callable[..., tuple[Submission, object]],
    ) -> None:
        submit(owner, "Another")
        latest, hidden = submit(owner, "Another")[0], submit(owner, "Hidden", published=False)[0]
        submit(owner, "Elsewhere", {"saturn": (("p1",),)})
        address = reverse("why", args=[scored.pk, "mercury"])

        def offered(user: User) -> set[str]:
            page = flat(visit(user).get(address).content.decode())
            return set(re.findall(r'value="(\d+)"', page.split('name="against">')[1].split("</select>")[0]))

        assert offered(owner) == {str(latest.pk), str(hidden.pk)}
        assert offered(reader) == {str(latest.pk)}

    def test_page_of_two_algorithms_links_to_their_comparison(
        self, visit: Visit, owner: User, scored: Submission, submit: Callable[..., tuple[Submission, object]]
    ) -> None:
        other = submit(owner, "Another")[0]
        page = visit(owner).get(reverse("why", args=[scored.pk, "mercury"]), {"against": other.pk}).content.decode()
        ids = f"{scored.algorithm_id},{other.algorithm_id}"
        compare = reverse("compare", args=[scored.collection.slug])
        assert f"{compare}?algorithms={ids}&pair={ids}&gold=1#differences" in unescape(page)
        alone = visit(owner).get(reverse("why", args=[scored.pk, "mercury"])).content.decode()
        assert "both on all queries" not in alone

    def test_link_to_the_next_query_keeps_the_options(self, visit: Visit, owner: User, scored: Submission) -> None:
        choice = {"gold": "1", "measures": "f,ari", "overlap": "first", "drop": "c1"}
        page = unescape(visit(owner).get(reverse("why", args=[scored.pk, "mercury"]), choice).content.decode())
        kept = "gold=1&measures=f%2Cari&overlap=first"
        assert re.search(rf'why/saturn/\?{kept}"\s+rel="next"', page)

    def test_scores_are_explained_with_their_scoring_options(
        self, visit: Visit, owner: User, scored: Submission, finish: Callable[..., None]
    ) -> None:
        version = scored.collection.gold_versions.get()
        enqueue_evaluation(submission=scored, gold_version=version, user=owner, policies=Policies(overlap="first"))
        finish()
        client, why = visit(owner), reverse("why", args=[scored.pk, "mercury"])
        for address in (
            reverse("submission", args=[scored.pk]),
            reverse("query", args=[scored.collection.slug, "mercury"]),
        ):
            assert f'href="{why}"' in client.get(address).content.decode()
            assert f'href="{why}?overlap=first"' in client.get(address, {"overlap": "first"}).content.decode()


def test_matrix_with_too_many_cells_is_listed_but_not_drawn(
    visit: Visit, owner: User, scored: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = reverse("why", args=[scored.pk, "mercury"])
    drawn = visit(owner).get(address).content.decode()
    for place in ("evaluation.explanations.views", "evaluation.explanations.matrix"):
        monkeypatch.setattr(f"{place}.DRAWN_CELLS", 2)
    page = visit(owner).get(address).content.decode()
    assert ('<svg class="cells"' in drawn, '<svg class="cells"' in page) == (True, False)
    assert "up to 2 can be drawn" in page
    assert "Show as a table" in page


def test_long_lists_are_paginated(
    visit: Visit, owner: User, scored: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LISTED_CLUSTERS", "EXPLAINED_CLUSTERS", "LISTED_ROWS"):
        monkeypatch.setattr(why_side, name, 2)
    address = reverse("why", args=[scored.pk, "mercury"])

    def shown(**options: str) -> str:
        return flat(visit(owner).get(address, options).content.decode())

    def articles(page: str) -> list[str]:
        return re.findall(r'<article class="cluster" id="(this-cluster-\d)"', page)

    first, second = shown(drop="c3"), shown(drop="c3", page="2", told="2")
    assert [re.findall(r'type="checkbox" name="drop" value="(c\d)"', page) for page in (first, second)] == [
        ["c1", "c2"],
        ["c3"],
    ]
    assert '<input type="hidden" name="drop" value="c3">' in first, "ticks on another page of the list are kept"
    assert "One cluster dropped: QC4-F" in first
    assert [articles(page) for page in (first, second)] == [["this-cluster-1", "this-cluster-2"], ["this-cluster-3"]]
    assert re.search(r'href="\?page=2&amp;drop=c3#lines-this"\s+rel="next"', first)
    assert ",#pages-page-this,#pages-told-this" in first, "a tick updates the links to other pages of the list"
    assert 'id="pages-page-this"' in first
    assert "told=2#this-cluster-3" in shown(page="2"), "a row links to the page with its cluster"
    assert "Spare parts" in shown(topics="2").split('id="topics-title"')[1].split("</section>")[0]
    assert shown(alone="2").split('id="alone-title-this"')[1].count("without") >= 1


def test_foreign_pages_link_to_the_full_list(
    visit: Visit, owner: User, scored: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.explanations.clusters.LISTED_FOREIGN", 1)
    submission = scored
    address = reverse("why", args=[submission.pk, "mercury"])
    page = flat(visit(owner).get(address, {"foreign": "1", "cluster": "c3"}).content.decode())
    assert "Foreign pages of “cluster 3”</bdi>: 1 page</h3>" in page


def test_input_too_large_for_a_worker_suggests_the_command(
    visit: Visit, owner: User, scored: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(why_chance, "CHANCE_SHUFFLED", 200)
    monkeypatch.setattr(why_changes, "ALONE_COMPUTED", 2)
    page = flat(visit(owner).get(reverse("why", args=[scored.pk, "mercury"])).content.decode())
    assert "Run `qc4 calibrate` on the files." in page.split('id="chance-this"')[1].split("</section>")[0]
    assert "Run `qc4 what-if` on the files" in page.split('id="alone-this"')[1].split("</section>")[0]
    assert "From 1 down to the quality" in page
    api = f"/api/v1/submissions/{scored.pk}/queries/mercury"
    refused = visit(owner).get(f"{api}/chance")
    assert (refused.status_code, refused.json()["error"]["problems"][0]["code"]) == (400, "too-large")
    assert "one_at_a_time" not in visit(owner).get(f"{api}/what-if").json()
    monkeypatch.setattr("evaluation.explanations.matrix.MATRIX_CELLS", 2)
    assert visit(owner).get(f"{api}/matrix").json()["error"]["problems"][0]["code"] == "too-large"
