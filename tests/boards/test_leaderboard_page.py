"""The leaderboard over HTTP: ranks, missing scores and files."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Run, RunColumn, Submission
from tests.fixtures.pages import Visit
from tests.samples.documents import GOOD_ANSWER
from tests.trigger_bypass import unguarded

ONE_QUERY = {"mercury": GOOD_ANSWER["mercury"]}
POOR = {"mercury": (("p1", "p4", "p7"), ("p2", "p5", "p8")), "saturn": (("p1", "p3"),)}


def board_address(collection: Collection, kind: str = "leaderboard") -> str:
    return reverse(kind, args=[collection.slug])


@pytest.fixture
def three(owner: User, submit: Callable[..., object], finish: Callable[..., None]) -> None:
    """Three scored algorithms: a good one, a poor one, and one with a clustering of only one of the two queries."""
    submit(owner, "Good")
    submit(owner, "Poor", POOR)
    submit(owner, "Half", ONE_QUERY)
    finish()


@pytest.mark.usefixtures("three")
class TestBoard:
    def test_better_algorithm_is_ranked_first(self, visit: Visit, owner: User, collection: Collection) -> None:
        rows = visit(owner).get(board_address(collection, "leaderboard-json")).json()["rows"]
        assert [row["algorithm"] for row in rows if row["algorithm"] != "Half"] == ["Good", "Poor"]
        assert rows[0]["rank"] == 1

    def test_shortened_name_ends_with_an_ellipsis(self, visit: Visit, owner: User, collection: Collection) -> None:
        User.objects.filter(pk=owner.pk).update(username="maximiliane.wolkenstein.von.und.zu")
        page = visit(owner).get(board_address(collection)).content.decode()
        assert "<bdi>maximiliane.wolkenstein…</bdi>" in page
        assert "<bdi>maximiliane.wolkenstein.</bdi>" not in page

    def test_missing_clustering_counts_as_zero_or_is_excluded(
        self, visit: Visit, owner: User, collection: Collection
    ) -> None:
        def half(missing: str) -> dict[str, object]:
            address = board_address(collection, "leaderboard-json")
            rows = visit(owner).get(address, {"missing": missing}).json()["rows"]
            return next(row["scores"]["quality"] for row in rows if row["algorithm"] == "Half")

        zero, skip = half("worst"), half("skip")
        assert zero["value"] == pytest.approx(skip["value"] / 2)
        assert (zero["counted"], zero["scored"], zero["queries"], zero["missing"]) == (2, 1, 2, ["saturn"])
        assert (skip["counted"], skip["scored"]) == (1, 1)

    def test_the_page_shows_coverage_arrows_and_strips(self, visit: Visit, owner: User, collection: Collection) -> None:
        page = visit(owner).get(board_address(collection)).content.decode()
        assert "1/2" in page
        assert "2/2" in page
        assert "QC4-F&nbsp;↑" in page
        assert 'class="strip' in page
        assert "the submission has no clustering of this query" in page

    def test_columns_name_the_unit_of_information(self, visit: Visit, owner: User, collection: Collection) -> None:
        for unit in ("nats", "bits"):
            page = visit(owner).get(board_address(collection), {"measures": "vi", "unit": unit}).content.decode()
            assert f"Variation of information ({unit})&nbsp;↓" in page

    def test_lower_is_better_sorts_ascending_with_a_down_arrow(
        self, visit: Visit, owner: User, collection: Collection
    ) -> None:
        choices = {"measures": "vi", "level": "1", "missing": "skip"}
        page = visit(owner).get(board_address(collection), choices).content.decode()
        rows = visit(owner).get(board_address(collection, "leaderboard-json"), choices).json()["rows"]
        values = [row["scores"]["vi"]["value"] for row in rows]
        known = [value for value in values if value is not None]
        assert "Variation of information (nats)&nbsp;↓" in page
        assert known == sorted(known)
        assert values[: len(known)] == known

    def test_reverse_order_keeps_the_ranks(self, visit: Visit, owner: User, collection: Collection) -> None:
        client, address = visit(owner), board_address(collection, "leaderboard-json")
        forwards = client.get(address).json()["rows"]
        backwards = client.get(address, {"order": "reverse"}).json()["rows"]
        assert [(row["rank"], row["algorithm"]) for row in backwards] == [
            (row["rank"], row["algorithm"]) for row in reversed(forwards)
        ]

    def test_undefined_mean_comes_last_with_its_reason(self, visit: Visit, owner: User, collection: Collection) -> None:
        choices = {"measures": "ari", "level": "1"}
        stored = RunColumn.objects.filter(measure="ari", level="1", run__submission__algorithm__name="Good")
        with unguarded(RunColumn):
            stored.update(packed=np.full(2, np.nan).tobytes(), gaps=[["undefined", "a reason in words", [0, 1]]])
        board = visit(owner).get(board_address(collection, "leaderboard-json"), choices).json()
        last = board["rows"][-1]
        assert last["scores"]["ari"]["value"] is None
        assert last["rank"] is None
        good = next(row for row in board["rows"] if row["algorithm"] == "Good")
        assert "a reason in words" in good["scores"]["ari"]["undefined"]
        assert "undefined" in visit(owner).get(board_address(collection), choices).content.decode()

    def test_equal_clusterings_share_a_rank(
        self,
        visit: Visit,
        owner: User,
        collection: Collection,
        submit: Callable[..., object],
        finish: Callable[..., None],
    ) -> None:
        submit(owner, "Good again")
        finish()
        rows = visit(owner).get(board_address(collection, "leaderboard-json")).json()["rows"]
        ranks = {row["algorithm"]: row["rank"] for row in rows}
        assert ranks["Good"] == ranks["Good again"] == 1
        assert 2 not in ranks.values()

    def test_csv_has_one_row_per_algorithm(self, visit: Visit, owner: User, collection: Collection) -> None:
        answer = visit(owner).get(board_address(collection, "leaderboard-csv"))
        assert answer["Content-Type"].startswith("text/csv")
        assert "attachment" in answer["Content-Disposition"]
        lines = list(csv.DictReader(io.StringIO(answer.content.decode())))
        assert {line["algorithm"] for line in lines} == {"Good", "Poor", "Half"}
        assert float(lines[0]["qc4_f"]) > 0.5

    @pytest.mark.parametrize(
        "choices",
        [{"level": "9"}, {"gold": "7"}, {"gold": "x"}, {"missing": "maybe"}],
    )
    def test_invalid_options_are_reported(
        self, visit: Visit, owner: User, collection: Collection, choices: dict[str, str]
    ) -> None:
        client = visit(owner)
        page = client.get(board_address(collection), choices)
        assert page.status_code == 400
        assert "does not exist" in page.content.decode()
        answer = client.get(board_address(collection, "leaderboard-json"), choices)
        assert answer.status_code == 400
        assert answer.json()["error"]["problems"]

    def test_waiting_algorithm_is_listed_with_its_state(
        self, visit: Visit, owner: User, collection: Collection, submit: Callable[..., object]
    ) -> None:
        submit(owner, "Waiting")
        rows = visit(owner).get(board_address(collection, "leaderboard-json")).json()["rows"]
        assert rows[-1]["waiting"] == "its run is queued"

    def test_newer_submission_without_scores_is_marked(
        self, visit: Visit, owner: User, collection: Collection, submit: Callable[..., object]
    ) -> None:
        submit(owner, "Good", POOR)
        page = visit(owner).get(board_address(collection)).content.decode()
        assert "newer submission not scored" in page

    def test_scores_of_an_older_engine_are_marked(self, visit: Visit, owner: User, collection: Collection) -> None:
        with unguarded(RunColumn):
            RunColumn.objects.update(engines=["0.0.1"])
        assert "older engine" in visit(owner).get(board_address(collection)).content.decode()

    def test_qc4_has_a_warning(self, visit: Visit, owner: User, collection: Collection) -> None:
        page = visit(owner).get(board_address(collection), {"measures": "qc4"}).content.decode()
        assert "singletons" in page


def test_csv_escapes_formulas_in_names(
    visit: Visit, owner: User, collection: Collection, submit: Callable[..., object], finish: Callable[..., None]
) -> None:
    submit(owner, '=HYPERLINK("http://evil.example")')
    finish()
    text = visit(owner).get(board_address(collection, "leaderboard-csv")).content.decode()
    names = [line["algorithm"] for line in csv.DictReader(io.StringIO(text))]
    assert names == ['\'=HYPERLINK("http://evil.example")']


def test_private_submissions_are_listed_for_their_owner_only(
    visit: Visit,
    owner: User,
    submitter: User,
    reader: User,
    collection: Collection,
    submit: Callable[..., tuple[Submission, Run]],
    finish: Callable[..., None],
) -> None:
    submit(submitter, "Secret", published=False)
    finish()
    address = board_address(collection, "leaderboard-json")
    assert len(visit(submitter).get(address).json()["rows"]) == 1
    assert len(visit(owner).get(address).json()["rows"]) == 1
    assert visit(reader).get(address).json()["rows"] == []


def test_empty_leaderboard_suggests_what_to_do(visit: Visit, owner: User, collection: Collection) -> None:
    assert "Nothing to rank yet" in visit(owner).get(board_address(collection)).content.decode()


def test_leaderboard_without_gold_standard_says_so(visit: Visit, owner: User, page_list_collection: Collection) -> None:
    page = visit(owner).get(board_address(page_list_collection)).content.decode()
    assert "no published gold standard" in page


def test_number_of_database_queries_is_independent_of_algorithms(
    visit: Visit, owner: User, submit: Callable[..., object], collection: Collection
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            page = visit(owner).get(reverse("leaderboard", args=[collection.slug])).content.decode()
        assert "its run is queued" in page
        return len(asked)

    submit(owner, algorithm="First")
    few = queries()
    for number in range(5):
        submit(owner, algorithm=f"Another {number}")
    assert queries() == few
