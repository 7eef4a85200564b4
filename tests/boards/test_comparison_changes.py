"""Comparison pages when data or people change: baselines, scoring options, gold versions, deletions and odd URLs."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import ANY
from xml.etree import ElementTree

import numpy as np
import pytest
from django.http import HttpResponse
from django.urls import get_resolver, reverse

from accounts.models import User
from annotations.gold.services import publish
from annotations.models import Collection, Membership, Role
from evaluation.boards.compare.pairs import WHERE_BETTER
from evaluation.boards.compare.selectors import COMPARISON
from evaluation.deletion import services as deletion
from evaluation.models import Algorithm, Submission
from evaluation.ranking.f_of_means import F_OF_MEANS
from evaluation.ranking.standings import BOARD
from evaluation.submissions import services as submissions
from qc4.model.gold_document import Topic
from qc4.model.policies import Policies
from qc4.stats import Method
from tests.fixtures.pages import Visit
from tests.page_text import flat
from tests.profiles import thorough
from tests.samples.boards import Scores, fill
from tests.samples.documents import mercury
from tests.samples.scores import many_queries
from tests.trigger_bypass import unguarded
from work import answers
from work.models import StoredAnswer

pytestmark = pytest.mark.django_db

PAGES = (
    "leaderboard", "compare", "heat-map", "trade-off", "measures-compared", "robustness", "topic-coverage",
)  # fmt: skip
NAMED = {str(name) for name in get_resolver("evaluation.urls").reverse_dict if isinstance(name, str)}
FORMATS = sorted(
    name for page in PAGES for name in (page, *(f"{page}-{kind}" for kind in ("json", "csv", "tex", "svg")))
    if name in NAMED
)  # fmt: skip
MEASURES = ("qc4_f", "quality", "coverage")
FEW = {"draws": "200", "measures": ",".join(MEASURES)}
QUERIES = 8
FIRST = Policies(overlap="first")


def scores(*lines: str, n: int = QUERIES) -> dict[str, list[float | str | None]]:
    """Return scores for these algorithms; earlier ones are better."""
    random = np.random.default_rng(3)
    return {
        line: [float(value) for value in np.clip(0.9 - 0.15 * place + random.normal(0, 0.02, n), 0, 1)]
        for place, line in enumerate(lines)
    }


def by_all(of: Scores) -> dict[str, Scores]:
    return dict.fromkeys(MEASURES, of)


@pytest.fixture
def collection(owner: User) -> Collection:
    return many_queries(owner, QUERIES, public=True)


@pytest.fixture
def get(visit: Visit, collection: Collection) -> Callable[..., HttpResponse]:
    """A function ``get(name, choice, user=None)`` that returns the response of a page."""

    def call(name: str, choice: dict[str, Any] | None = None, user: User | None = None) -> HttpResponse:
        return visit(user).get(reverse(name, args=[collection.slug]), {**FEW, **(choice or {})})

    return call


Get = Callable[..., HttpResponse]


def republish(collection: Collection, user: User) -> None:
    """Publish a second gold version with another gold standard of the first query."""
    other = (Topic("space", "Planet", pages=("p1", "p2")), Topic("boats", "Engines", pages=("p3", "p4", "p5")))
    left = ("p6", "p7", "p8")
    document = replace(mercury(), query_id="q001", query_text="query 1", topics=other, outliers=left)
    publish(collection=collection, documents=[document], user=user)


def ids(collection: Collection) -> dict[str, int]:
    return dict(Algorithm.objects.filter(collection=collection).values_list("name", "pk"))


def page_text(answer: HttpResponse) -> str:
    return flat(answer.content.decode())


def test_all_comparison_formats_are_listed() -> None:
    assert len(FORMATS) >= 33


class TestBaseline:
    @pytest.fixture(autouse=True)
    def _filled(self, collection: Collection) -> None:
        table = scores("Gold=gold", "A", "B", "Sparse")
        table["Sparse"][:6] = ["overlapping clusters"] * 6
        fill(collection, by_all(table))

    @pytest.mark.parametrize(
        ("name", "why"), [("Gold", "the gold standard itself"), ("Sparse", "values on")]
    )  # fmt: skip
    def test_baseline_that_is_not_compared_is_reported(
        self, get: Get, collection: Collection, name: str, why: str
    ) -> None:
        choice = {"baseline": ids(collection)[name]}
        for answer in (get("leaderboard-json", choice), get("compare-json", choice)):
            note = answer.json()["baseline_note"]
            assert note.startswith(f"{name} cannot be the baseline ({why}")
            assert note.endswith("Every pair of algorithms is tested instead.")
        for page in ("leaderboard", "compare"):
            assert f"{name} cannot be the baseline ({why}" in page_text(get(page, choice))
        lines = csv.DictReader(io.StringIO(get("leaderboard-csv", choice).content.decode()))
        assert {line["compared_with"] for line in lines} == {""}
        assert "against" not in get("leaderboard-tex", choice).content.decode()

    def test_compared_baseline_needs_no_note(self, get: Get, collection: Collection) -> None:
        choice = {"baseline": ids(collection)["B"]}
        assert get("leaderboard-json", choice).json()["baseline_note"] is None
        assert get("compare-json", choice).json()["baseline_note"] is None
        lines = csv.DictReader(io.StringIO(get("leaderboard-csv", choice).content.decode()))
        assert {line["compared_with"] for line in lines} == {"B"}

    def test_ranks_before_and_after_ignore_the_baseline(
        self, visit: Visit, owner: User, collection: Collection
    ) -> None:
        republish(collection, owner)
        fill(collection, by_all(scores("A", "B")))
        address = reverse("gold-ranks-json", args=[collection.slug, 2])
        note = visit(None).get(address, FEW | {"baseline": ids(collection)["A"]}).json()["note"]
        assert note.startswith("The baseline has no effect here")
        assert visit(None).get(address, FEW).json()["note"] is None
        for unknown in ({"baseline": 999999}, {"algorithms": 999999}):
            assert visit(None).get(address, unknown).status_code == 400


class TestChoices:
    @pytest.fixture(autouse=True)
    def _filled(self, collection: Collection) -> None:
        fill(collection, by_all(scores("A", "B", "C")))

    @pytest.mark.parametrize(
        ("choice", "code"),
        [
            ({"alpha": "1e-300"}, "out-of-range"),
            ({"alpha": "nan"}, "out-of-range"),
            ({"alpha": "1"}, "out-of-range"),
            ({"equivalence_margin": "1e308"}, "out-of-range"),
            ({"equivalence_margin": "nan"}, "out-of-range"),
            ({"draws": "99"}, "out-of-range"),
            ({"draws": "20001"}, "too-many"),
            ({"draws": "1e3"}, "out-of-range"),
            ({"seed": "-1"}, "out-of-range"),
            ({"seed": "1" * 5000}, "out-of-range"),
            ({"sort": "nonsense"}, "unknown-sort"),
            ({"measures": "nonsense"}, "unknown-measure"),
        ],
    )
    def test_invalid_test_options_are_rejected(self, get: Get, choice: dict[str, str], code: str) -> None:
        answer = get("compare", choice)
        assert answer.status_code == 400
        assert "This address asks for something that does not exist" in page_text(answer)
        assert "Differences from" in page_text(answer)
        refused = get("api:compare", choice)
        assert refused.status_code == 400
        # A value that is not a number is rejected before it is read as an option.
        assert refused.json()["error"]["problems"][0]["code"] in {code, "invalid", "max-string-length"}

    @pytest.mark.parametrize("page", PAGES)
    def test_every_page_rejects_invalid_options(self, get: Get, page: str) -> None:
        for choice in ({"alpha": "1e-300"}, {"sort": "nonsense"}, {"measures": "nonsense"}):
            answer = get(page, choice)
            assert answer.status_code == 400
            assert "This address asks for something that does not exist" in page_text(answer)
            for name in (f"{page}-json", f"api:{page}"):
                refused = get(name, choice)
                assert refused.status_code == 400, name
                assert refused.json()["error"]["problems"], name

    def test_limits_of_numbers_are_accepted(self, get: Get) -> None:
        for choice in (
            {"alpha": "0.000001"},
            {"alpha": "0.999999"},
            {"equivalence_margin": "1e100"},
            {"seed": "9" * 30},
        ):
            found = get("compare-json", choice)
            assert found.status_code == 200
            assert b"Infinity" not in found.content
            assert get("compare-svg", choice).status_code == get("compare", choice).status_code == 200

    def test_too_many_parameters_are_rejected_but_repeated_ones_count_once(self, visit: Visit, get: Get) -> None:
        for page in PAGES:
            address = reverse(page, args=[Collection.objects.get().slug])
            assert visit(None).get(address + "?" + "&".join(["query=q001"] * 10_000)).status_code == 400
        once, often = (get("leaderboard-json", {"query": ["q001"] * times}).json() for times in (1, 200))
        assert once == often

    @pytest.mark.costs
    def test_more_draws_cost_more(self, get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
        """The default number of draws is just below the limit of each answer, so that twice as many are above it."""
        pairs = 3 * 3 * QUERIES
        for answer in (BOARD, COMPARISON):
            monkeypatch.setattr(answer, "cheap", 1.5 * pairs)
        for answer in (F_OF_MEANS, WHERE_BETTER):
            monkeypatch.setattr(answer, "cheap", 1e9)
        for page in ("leaderboard", "compare"):
            assert 'id="pending"' not in page_text(get(page, {"draws": str(Method().draws)})), page
            assert 'id="pending"' in page_text(get(page, {"draws": str(2 * Method().draws)})), page


class TestPolicies:
    @pytest.fixture(autouse=True)
    def _filled(self, collection: Collection) -> None:
        """A and B have scores under two sets of scoring options, C under the default ones only."""
        fill(collection, by_all(scores("A", "B", "C")))
        fill(collection, by_all(scores("B", "A")), FIRST)

    def test_every_response_has_the_scoring_options(self, get: Get) -> None:
        for page in PAGES:
            data = get(f"{page}-json", {"overlap": "first"}).json()
            assert data["policies"]["overlap"] == "first", page

    def test_algorithms_without_scores_wait_and_others_are_ranked(self, get: Get) -> None:
        choice = {"overlap": "first"}
        rows = get("leaderboard-json", choice).json()["rows"]
        assert [(row["algorithm"], row["rank"]) for row in rows] == [("B", 1), ("A", 2), ("C", None)]
        assert rows[2]["waiting"] == "not scored against gold v1 under these policies"
        ranked = [row["algorithm"] for row in get("leaderboard-json").json()["rows"]]
        assert ranked == ["A", "B", "C"]
        assert [one["name"] for one in get("compare-json", choice).json()["algorithms"]] == ["B", "A"]
        assert get("heat-map-json", choice).json()["waiting"] == 1
        assert len(get("trade-off-json", choice).json()["rows"]) == 2
        for format_name in FORMATS:
            assert get(format_name, choice).status_code == 200, format_name

    def test_requested_algorithm_without_scores_is_named(self, get: Get, collection: Collection) -> None:
        known = ids(collection)
        choice = {"overlap": "first", "algorithms": f"{known['A']},{known['C']}"}
        data = get("compare-json", choice).json()
        assert data["not_compared"][0]["name"] == "C"
        assert "under these policies" in data["not_compared"][0]["reason"]
        assert "no scores" in get("robustness-json", choice).json()["note"]
        lost = get("compare-json", {"overlap": "first", "baseline": known["C"]}).json()["baseline_note"]
        assert lost.startswith("C cannot be the baseline (it has no scores)")


class TestChanges:
    def test_new_gold_version_has_only_rescored_algorithms(self, get: Get, collection: Collection, owner: User) -> None:
        fill(collection, by_all(scores("A", "B", "C")))
        before = get("compare-json").json()
        republish(collection, owner)
        assert all(row["run"] is None for row in get("leaderboard-json").json()["rows"])
        for format_name in FORMATS:
            assert get(format_name).status_code in {200, 400}, format_name
        fill(collection, by_all(scores("B", "A")))
        assert [one["name"] for one in get("compare-json").json()["algorithms"]] == ["B", "A"]
        assert get("compare-json", {"gold": "1"}).json() == before | {"permalink": ANY}
        kinds = {row["kind"] for row in get("robustness-json").json()["result"]["rows"]}
        assert "gold version" in kinds

    def test_withdrawn_or_deleted_submissions_leave_stored_leaderboards(
        self, get: Get, collection: Collection, owner: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(answers, "STORED_FROM_SHARE", 0.0)
        fill(collection, by_all(scores("Withdrawn", "Deleted", "A", "B")))
        whole = {format_name: get(format_name).content for format_name in FORMATS}
        assert all(b"Withdrawn" in content for format_name, content in whole.items() if format_name == "leaderboard")
        assert StoredAnswer.objects.exists()
        submissions.publish(Submission.objects.get(algorithm__name="Withdrawn"), published=False)
        deletion.delete_submission(Submission.objects.get(algorithm__name="Deleted"))
        for format_name in FORMATS:
            answer = get(format_name)
            assert answer.status_code == 200, format_name
            assert b"Withdrawn" not in answer.content, format_name
            assert b"Deleted" not in answer.content, format_name
        submissions.publish(Submission.objects.get(algorithm__name="Withdrawn"))
        assert b"Withdrawn" in get("leaderboard").content
        deletion.delete_collection(collection)
        for format_name in FORMATS:
            assert get(format_name).status_code == 404, format_name

    def test_finished_run_appears_but_permalinks_of_others_stay_the_same(
        self, get: Get, collection: Collection
    ) -> None:
        fill(collection, by_all(scores("A", "B")))
        both = {"algorithms": ",".join(map(str, ids(collection).values())), "family": "shown"}
        before = get("leaderboard-json", both).json()
        fill(collection, by_all(scores("Z", "Y")))
        assert len(get("leaderboard-json").json()["rows"]) == 4
        assert get("leaderboard-json", both).json() == before

    def test_missing_rule_applies_to_queries_missing_in_one_repeat(self, get: Get, collection: Collection) -> None:
        table = scores("A", "R#1", "R#2")
        for place in (0, 1):
            table["R#2"][place] = None
        fill(collection, by_all(table))
        mean = {line: np.array([value or 0.0 for value in values]) for line, values in table.items()}
        zero, skip = (
            next(row for row in get("leaderboard-json", {"missing": rule}).json()["rows"] if row["algorithm"] == "R")
            for rule in ("worst", "skip")
        )
        both = (mean["R#1"] + mean["R#2"]) / 2
        assert zero["scores"]["qc4_f"]["value"] == pytest.approx(both.mean())
        assert skip["scores"]["qc4_f"]["value"] == pytest.approx(both[2:].mean())
        exported = get("compare-csv", {"table": "scores"}).content.decode()
        columns = list(csv.DictReader(io.StringIO(exported)))
        assert [float(line["R"]) for line in columns] == pytest.approx(both.tolist())


class TestPeople:
    @thorough("a private submission at every address of a comparison")
    def test_private_submission_is_invisible_to_others(
        self, get: Get, collection: Collection, owner: User, person: Callable[[str], User]
    ) -> None:
        fill(collection, by_all(scores("A", "B", "C", "Secret")))
        with unguarded(Submission):
            Submission.objects.filter(algorithm__name="Secret").update(published=False, created_by=owner)
        secret = ids(collection)["Secret"]
        member = person("member")
        Membership.objects.create(collection=collection, user=member, role=Role.CURATOR)
        answers = [f"api:{page}" for page in PAGES]
        for name in ("leaderboard", *answers):
            assert b"Secret" in get(name, user=owner).content, name
        for somebody in (None, member):
            for name in (*FORMATS, *answers):
                answer = get(name, user=somebody)
                assert answer.status_code == 200, name
                assert b"Secret" not in answer.content, name
            for name in (*PAGES, *(f"{page}-json" for page in PAGES)):
                for choice in ({"algorithms": secret}, {"baseline": secret}):
                    asked = get(name, choice, user=somebody)
                    assert asked.status_code == 400, name
                    assert b"Secret" not in asked.content, name

    def test_names_are_escaped_in_every_format(self, get: Get, collection: Collection) -> None:
        names = [
            "<i>name</i>; 'a', \"b\"",
            r"\input{x} 50 % $_^&{}~ #1".replace("#", "♯"),
            "\u202eright to left",
            "x" * 120,
            "@SUM(1)",
        ]
        fill(collection, by_all(scores(*names)))
        for format_name in FORMATS:
            answer = get(format_name)
            text = answer.content.decode()
            assert answer.status_code == 200, format_name
            if format_name in PAGES or format_name.endswith("-svg"):
                assert "<i>name" not in text, format_name
            if format_name.endswith("-svg"):
                ElementTree.fromstring(text)
            if format_name.endswith("-csv"):
                cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
                assert not any(cell.startswith("@") for cell in cells), format_name
            if format_name.endswith("-tex"):
                assert r"\input" not in text, format_name


class TestWords:
    def test_heat_map_legend_explains_missing_clusterings(self, get: Get, collection: Collection) -> None:
        fill(collection, by_all(scores("A", "B")) | {"vi": scores("A", "B")})
        assert "no clustering of the query: counts as .000 in the means" in page_text(get("heat-map"))
        left = "no clustering of the query: its query is excluded from the means of all algorithms"
        assert left in page_text(get("heat-map", {"missing": "skip"}))
        assert left in page_text(get("heat-map", {"sort": "vi"})), "this measure has no worst value"

    def test_measures_undefined_on_most_queries_are_named(self, get: Get, collection: Collection) -> None:
        few = {line: [*["overlapping clusters"] * 6, *values[6:]] for line, values in scores("A", "B", "C").items()}
        fill(collection, by_all(scores("A", "B", "C")) | {"ari": few})
        choice = {"measures": "qc4_f,quality,ari"}
        words = "Based on 2 of 8 queries. On the others, an algorithm has no value by Adjusted Rand."
        assert get("measures-compared-json", choice).json()["narrowed"].startswith(words)
        assert words in page_text(get("measures-compared", choice))
        assert get("measures-compared-json").json()["narrowed"] is None
