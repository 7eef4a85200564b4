"""The compare page: its sentences, the same numbers in all formats, and what it must not reveal."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import asdict
from html import unescape
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection, Membership, Role
from evaluation.boards.compare import pairs as pair_looks
from evaluation.boards.compare import selectors as comparisons
from evaluation.models import Algorithm, Submission
from qc4.measures.registry import REGISTRY
from qc4.stats import (
    behind_words,
    compare,
    leader_sentence,
    number,
    p_number,
    pair_sentence,
    signed_number,
    where_better,
)
from qc4.stats.pictures import PICTURES
from tests.fixtures.pages import Visit
from tests.page_text import flat
from tests.samples.scores import UNDEFINED, give, many_queries
from tests.stored_answers import compute_waiting_answers, leave_all_to_workers, work_out_at_once
from work.workers import Pool, report_alive

KEYS = [f"q{place:03}" for place in range(1, 21)]
NAMES = [f"query {place}" for place in range(1, 21)]
"""Names of the queries in files and comparisons."""
FIGURES = [
    "queries", "difference", "low", "high", "wins", "ties", "losses", "probability_of_superiority",
    "standardised_difference", "p", "p_adjusted", "minimum_detectable_difference", "required_queries",
]  # fmt: skip

WORKING = "A worker is working this out."


def drawn(*means: float, n: int = 20) -> dict[str, list[float]]:
    """Return random scores of algorithms A, B, … with about these means on n queries; hard queries are hard for all."""
    random = np.random.default_rng(11)
    hard = random.uniform(-0.2, 0.2, n)
    return {
        chr(ord("A") + place): np.clip(mean + hard + random.normal(0, 0.05, n), 0, 1).tolist()
        for place, mean in enumerate(means)
    }


@pytest.fixture
def many(owner: User) -> Collection:
    return many_queries(owner, 20)


@pytest.fixture
def given(many: Collection, owner: User) -> dict[str, list[float]]:
    """Scores of four algorithms on twenty queries: A, B and C are close together, D is far below."""
    scores = drawn(0.6, 0.58, 0.5, 0.2)
    give(many, scores, owner)
    return scores


def address(collection: Collection, name: str = "compare") -> str:
    return reverse(name, args=[collection.slug])


def ids(collection: Collection, *names: str) -> str:
    found = dict(Algorithm.objects.filter(collection=collection).values_list("name", "pk"))
    return ",".join(str(found[name]) for name in names)


class TestFigures:
    def test_page_api_and_files_show_the_engines_numbers(
        self, visit: Visit, owner: User, many: Collection, given: dict[str, list[float]]
    ) -> None:
        client = visit(owner)
        found = compare(list(given.values()), list(given), NAMES, missing="worst")
        data = client.get(address(many, "compare-json")).json()
        assert data == client.get(f"/api/v1/collections/{many.slug}/compare").json()
        assert data["comparison"] == found.to_dict()
        rows = list(csv.DictReader(io.StringIO(client.get(address(many, "compare-csv")).content.decode())))
        for row, pair in zip(rows, found.pairs, strict=True):
            assert [row["a"], row["b"]] == [pair.a, pair.b]
            assert [row[name] for name in FIGURES] == [
                "" if (value := asdict(pair)[name]) is None else repr(value) for name in FIGURES
            ]
        page = client.get(address(many)).content.decode()
        shown = figures(page)
        for pair in found.pairs:
            words_of = {
                "standardised_difference": lambda value: number(value, 2), "p": p_number, "p_adjusted": p_number,
                "difference": signed_number, "low": signed_number, "high": signed_number,
            }  # fmt: skip
            expected = [
                "–" if value is None else str(value) if isinstance(value, int) else words_of.get(name, number)(value)
                for name in FIGURES
                for value in [asdict(pair)[name]]
            ]
            assert shown[pair.a, pair.b] == [text.replace("-", "−") for text in expected]
        latex = client.get(address(many, "compare-tex")).content.decode()
        for system in found.systems:
            assert behind_words(system) in " ".join(page.split())
            assert number(system.mean) in latex
            assert behind_words(system).replace(" to ", "--") in latex
        assert "Means of QC4-F over 20 queries of 20 queries" in latex
        assert "gold standard v1 (SHA-256" in data["methods"]
        assert leader_sentence(found, "algorithm") in data["sentence"]
        assert data["sentence"] in words(page)

    def test_stored_comparison_equals_the_computed_one(
        self,
        visit: Visit,
        owner: User,
        many: Collection,
        given: dict[str, list[float]],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        first = visit(owner).get(address(many, "compare-json")).json()
        leave_all_to_workers(monkeypatch)
        waiting = visit(owner).get(address(many, "compare-json"))
        assert (waiting.status_code, waiting["Retry-After"]) == (202, "2")
        while compute_waiting_answers():  # each request queues the part that depends on the previous one
            waiting = visit(owner).get(address(many, "compare-json"))
        monkeypatch.setattr(comparisons, "resolve_inputs", None)
        monkeypatch.setattr(pair_looks, "resolve_inputs", None)
        assert waiting.json() == first

    def test_baseline_defines_the_family_and_the_reference(
        self, visit: Visit, owner: User, many: Collection, given: dict[str, list[float]]
    ) -> None:
        asked = {"baseline": ids(many, "B"), "alpha": "0.1", "procedure": "holm"}
        data = visit(owner).get(address(many, "compare-json"), asked).json()
        found = compare(
            list(given.values()), list(given), NAMES, missing="worst", baseline="B", alpha=0.1, procedure="holm"
        )
        assert data["comparison"] == found.to_dict()
        page = visit(owner).get(address(many), asked).content.decode()
        assert "Differences from <bdi>B</bdi>" in page
        assert "All pairs" not in page

    def test_two_algorithms_are_compared_in_one_sentence(
        self, visit: Visit, owner: User, many: Collection, given: dict[str, list[float]]
    ) -> None:
        two = {name: given[name] for name in ("A", "D")}
        found = compare(list(two.values()), list(two), NAMES, missing="worst")
        asked = {"algorithms": ids(many, "A", "D"), "family": "pair"}
        page = visit(owner).get(address(many), asked).content.decode()
        assert pair_sentence(found, found.pairs[0]) in words(page)

    def test_lower_is_better_puts_the_lower_score_first(self, visit: Visit, owner: User, many: Collection) -> None:
        scores = drawn(0.7, 0.3)
        give(many, scores, owner, measure="vi")
        data = visit(owner).get(address(many, "compare-json"), {"sort": "vi"}).json()
        assert (data["measure"]["measure"], REGISTRY.get("vi").better) == ("vi", "lower")
        assert [one["name"] for one in data["algorithms"]] == ["B", "A"]
        assert data["comparison"]["pairs"][0]["difference"] > 0
        first = data["pair"]["differences"][0]
        assert (first["a"], first["b"]) == (scores["B"][0], scores["A"][0])
        assert first["difference"] == pytest.approx(scores["A"][0] - scores["B"][0])


class TestPair:
    def test_each_query_links_to_both_explanations(
        self, visit: Visit, owner: User, many: Collection, given: dict[str, list[float]]
    ) -> None:
        asked = {"pair": ids(many, "C", "A")}
        data = visit(owner).get(address(many, "compare-json"), asked).json()["pair"]
        assert (data["a"]["name"], data["b"]["name"]) == ("C", "A")
        assert [row["query"] for row in data["differences"]] == KEYS
        page = visit(owner).get(address(many), asked).content.decode()
        c, a = (Submission.objects.get(algorithm__name=name).pk for name in "CA")
        for row, one, other in zip(data["differences"], given["C"], given["A"], strict=True):
            assert row["difference"] == pytest.approx(one - other)
            why = reverse("why", args=[c, row["query"]]) + f"?gold=1&amp;against={a}"
            assert page.count(f'href="{why}"') == 2, "a bar and a row of the table"

    def test_groups_of_queries_equal_the_engines(
        self, visit: Visit, owner: User, many: Collection, given: dict[str, list[float]]
    ) -> None:
        data = visit(owner).get(address(many, "compare-json")).json()["pair"]["where"]
        # All queries have the topics of `mercury`: 3, 5, 2 and 3 pages, two levels, and p3 in two topics of a level.
        facts = {
            "mean topic size": [13 / 4] * 20,
            "levels": [2] * 20,
            "share of pages in several topics": [1 / 8] * 20,
            "number of topics": [4] * 20,
        }
        assert data == where_better([given["A"], given["B"]], facts, ["A", "B"], NAMES).to_dict()

    def test_slow_parts_come_from_a_worker_one_by_one(
        self,
        visit: Visit,
        owner: User,
        many: Collection,
        given: dict[str, list[float]],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        leave_all_to_workers(monkeypatch)
        client = visit(owner)
        first = client.get(address(many)).content.decode()
        assert WORKING in first
        assert '<noscript><meta http-equiv="refresh"' in first
        assert "Differences from" not in first
        assert compute_waiting_answers() == 1
        second = client.get(address(many)).content.decode()
        assert "Differences from" in second
        assert WORKING in second
        assert "Number of topics" not in second
        while compute_waiting_answers():
            last = client.get(address(many)).content.decode()
        assert "Number of topics" in last
        assert WORKING not in last
        assert "http-equiv" not in last


class TestGaps:
    def test_algorithms_that_are_not_compared_have_a_reason(self, visit: Visit, owner: User, many: Collection) -> None:
        scores: dict[str, Any] = drawn(0.6, 0.5, 0.4, 0.3)
        scores["B"][2:4] = [None, None]
        scores["C"] = [None] * 20
        scores["D"][:10] = [None] * 10
        give(many, scores, owner)
        asked = {"algorithms": ids(many, "A", "B", "C", "D")}
        data = visit(owner).get(address(many, "compare-json"), asked).json()
        assert [one["name"] for one in data["algorithms"]] == ["A", "B"]
        reasons = {one["name"]: one["reason"] for one in data["not_compared"]}
        assert reasons["C"] == f"undefined on 20 of 20 queries: {UNDEFINED}"
        assert reasons["D"] == f"values on 10 of 20 queries, fewer than 80%: {UNDEFINED}"
        assert data["comparison"]["queries"] == 18
        assert data["comparison"]["left_out"] == ["query 3", "query 4"]
        third = data["pair"]["differences"][2]
        assert (third["b"], third["difference"], third["reason"]) == (None, None, f"B: {UNDEFINED}")
        page = words(visit(owner).get(address(many), asked).content.decode())
        assert "Not compared: C (undefined on 20 of 20 queries" in page
        assert "2 queries are excluded" in page

    def test_missing_rule_decides_how_missing_clusterings_count(
        self, visit: Visit, owner: User, many: Collection
    ) -> None:
        give(many, drawn(0.6, 0.5), owner, missing={"A": [0, 1]})
        zero = visit(owner).get(address(many, "compare-json")).json()["comparison"]
        skip = visit(owner).get(address(many, "compare-json"), {"missing": "skip"}).json()["comparison"]
        assert (zero["missing"], zero["queries"], zero["filled"], zero["left_out"]) == ("worst", 20, 2, [])
        assert (skip["missing"], skip["queries"], skip["filled"]) == ("skip", 18, 0)
        assert skip["left_out"] == ["query 1", "query 2"]

    def test_query_with_one_missing_clustering_links_to_the_other_explanation(
        self, visit: Visit, owner: User, many: Collection
    ) -> None:
        given = give(many, drawn(0.6, 0.5), owner, missing={"A": [0, 1], "B": [1, 2]})
        a, b = given["A"].pk, given["B"].pk
        data = visit(owner).get(address(many, "compare-json"), {"pair": ids(many, "A", "B")}).json()["pair"]
        assert [(row["a_missing"], row["b_missing"]) for row in data["differences"][:4]] == [
            (True, False),
            (True, True),
            (False, True),
            (False, False),
        ]
        page = visit(owner).get(address(many), {"pair": ids(many, "A", "B")}).content.decode()
        assert f'href="{reverse("why", args=[b, "q001"])}?gold=1"' in page
        assert reverse("why", args=[a, "q002"]) not in page
        assert reverse("why", args=[b, "q002"]) not in page
        assert f'href="{reverse("why", args=[a, "q003"])}?gold=1"' in page
        assert f'href="{reverse("why", args=[a, "q004"])}?gold=1&amp;against={b}"' in page

    def test_identical_algorithms_and_constant_differences_have_no_p_value(
        self, visit: Visit, owner: User, many: Collection
    ) -> None:
        scores = drawn(0.6)
        scores["B"], scores["C"] = list(scores["A"]), [value - 0.125 for value in scores["A"]]
        give(many, scores, owner)
        pairs = visit(owner).get(address(many, "compare-json")).json()["comparison"]["pairs"]
        assert [pair["verdict"] for pair in pairs] == ["no difference", "better", "better"]
        page = words(visit(owner).get(address(many)).content.decode())
        assert "−.125 the same difference on every query" in page
        assert "the same on every query" in page

    def test_one_query_gives_means_and_a_reason(self, visit: Visit, owner: User, collection: Collection) -> None:
        give(collection, {"A": [0.5, 0.6], "B": [0.4, 0.2]}, owner)
        answer = visit(owner).get(address(collection), {"query": "mercury"})
        page = words(answer.content.decode())
        assert "A has .100 more than B on 1 query; one query says nothing about others: means only." in page
        assert "There is nothing to group." in page

    def test_empty_comparison_suggests_what_to_do(
        self, visit: Visit, owner: User, collection: Collection, page_list_collection: Collection
    ) -> None:
        assert "Run the baselines or submit a clustering" in visit(owner).get(address(collection)).content.decode()
        assert "no published gold standard" in visit(owner).get(address(page_list_collection)).content.decode()
        assert visit(owner).get(address(collection, "compare-json")).json()["comparison"] is None
        for name in ("compare-csv", "compare-tex", "compare-svg"):
            assert visit(owner).get(address(collection, name)).status_code == 400


class TestChoice:
    def test_best_algorithms_are_compared_without_the_gold_standard(
        self, visit: Visit, owner: User, many: Collection
    ) -> None:
        scores = drawn(*[0.3 + 0.02 * place for place in range(24)])
        give(many, scores, owner)
        Algorithm.objects.filter(collection=many, name="X").update(baseline="gold")
        data = visit(owner).get(address(many, "compare-json")).json()
        assert len(data["algorithms"]) == 8
        assert "X" not in {one["name"] for one in data["algorithms"]}
        means = {name: np.mean(values) for name, values in scores.items() if name != "X"}
        best = sorted(means, key=lambda name: -means[name])
        assert [one["name"] for one in data["algorithms"]] == best[:8]
        asked = {"algorithms": ids(many, *scores), "baseline": ids(many, "A")}
        all_asked = visit(owner).get(address(many, "compare-json"), asked).json()
        assert {one["name"] for one in all_asked["algorithms"]} == {*best[:19], "A"}
        assert all_asked["left_off"] == 4

    def test_repeats_are_averaged_also_if_algorithms_are_left_off(
        self, visit: Visit, owner: User, many: Collection
    ) -> None:
        scores = drawn(*[0.3 + 0.02 * place for place in range(10)])
        give(many, scores, owner)
        for seed, value in (("1", 0.9), ("2", 0.8)):
            give(many, {"J": [value] * 20}, owner, repeat=seed)
        data = visit(owner).get(address(many, "compare-json")).json()
        assert len(data["algorithms"]) == 8
        first = data["comparison"]["systems"][0]
        assert (first["system"], first["mean"]) == ("J", pytest.approx(0.85))
        assert data["pair"]["differences"][0]["a"] == pytest.approx(0.85)

    def test_permalink_spells_out_all_options(
        self, visit: Visit, owner: User, many: Collection, given: dict[str, list[float]]
    ) -> None:
        first = (
            visit(owner)
            .get(address(many, "compare-json"), {"equivalence_margin": "0.02", "pair": ids(many, "B", "C")})
            .json()
        )
        assert f"algorithms={ids(many, 'A', 'B', 'C', 'D')}" in first["permalink"]
        assert "gold=1" in first["permalink"]
        assert "equivalence_margin=0.02" in first["permalink"]
        again = visit(owner).get(first["permalink"].replace("/compare/?", "/compare.json?")).json()
        assert again == first

    @pytest.mark.parametrize(
        ("asked", "code"),
        [
            ({"algorithms": "999999"}, "unknown-algorithm"),
            ({"baseline": "999999"}, "unknown-algorithm"),
            ({"pair": "1"}, "no-pair"),
            ({"pair": "999998,999999"}, "unknown-algorithm"),
            ({"sort": "nonsense"}, "unknown-sort"),
            ({"alpha": "7"}, "out-of-range"),
            ({"gold": "9"}, "unknown-gold-version"),
        ],
    )
    def test_invalid_options_are_rejected_by_name(
        self,
        visit: Visit,
        owner: User,
        many: Collection,
        given: dict[str, list[float]],
        asked: dict[str, str],
        code: str,
    ) -> None:
        client = visit(owner)
        refused = client.get(f"/api/v1/collections/{many.slug}/compare", asked)
        assert refused.status_code == 400
        assert {problem["code"] for problem in refused.json()["error"]["problems"]} == {code}
        page = client.get(address(many), asked)
        assert page.status_code == 400
        assert "This address asks for something that does not exist" in page.content.decode()
        assert "Differences from" in page.content.decode()

    def test_pictures_and_tables_have_file_names(
        self, visit: Visit, owner: User, many: Collection, given: dict[str, list[float]]
    ) -> None:
        client = visit(owner)
        for picture in (*PICTURES, "differences"):
            answer = client.get(address(many, "compare-svg"), {"picture": picture})
            assert answer["Content-Type"] == "image/svg+xml"
            assert answer.content.startswith(b"<svg")
        for table, lines in (("systems", 4), ("pairs", 6), ("scores", 20), ("differences", 20), ("where", 4)):
            text = client.get(address(many, "compare-csv"), {"table": table}).content.decode()
            assert len(text.splitlines()) == lines + 1
        assert client.get(address(many, "compare-svg"), {"picture": "pie"}).status_code == 400
        assert client.get(address(many, "compare-csv"), {"table": "pie"}).status_code == 400


class TestCost:
    @pytest.mark.parametrize("name", ["compare", "compare-json", "compare-csv", "compare-tex", "compare-svg"])
    def test_number_of_database_queries_is_constant(
        self, visit: Visit, owner: User, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        work_out_at_once(monkeypatch)

        def asked(algorithms: int, queries: int) -> int:
            collection = many_queries(owner, queries)
            give(collection, drawn(*[0.5 + place / 50 for place in range(algorithms)], n=queries), owner)
            options = {"algorithms": ids(collection, *drawn(*[0.5] * algorithms, n=1))}
            visit(owner).get(address(collection, name), options)
            client = visit(owner)
            with CaptureQueriesContext(connection) as found:
                assert client.get(address(collection, name), options).status_code == 200
            return len(found)

        assert asked(2, 8) == asked(9, 30)


class TestPrivacy:
    def test_hidden_submission_counts_as_unknown_algorithm(
        self, visit: Visit, owner: User, many: Collection, given: dict[str, list[float]], person: Callable[[str], User]
    ) -> None:
        reader = person("reader")
        Membership.objects.create(collection=many, user=reader, role=Role.READER)
        give(many, {"Secret": [0.9] * 20}, owner, published=False)
        secret = ids(many, "Secret")
        for name in ("compare", "compare-json", "compare-csv", "compare-tex", "compare-svg"):
            for asked in ({"algorithms": f"{secret},{ids(many, 'A')}"}, {"baseline": secret}):
                answer = visit(reader).get(address(many, name), asked)
                assert answer.status_code == 400
                assert b"Secret" not in answer.content
            assert b"Secret" not in visit(reader).get(address(many, name)).content
        api = visit(reader).get(f"/api/v1/collections/{many.slug}/compare", {"pair": f"{secret},{ids(many, 'A')}"})
        assert api.json()["error"]["problems"][0]["code"] == "unknown-algorithm"
        assert "Secret" in visit(owner).get(address(many)).content.decode()


def words(page: str) -> str:
    """Return the text of a page without its tags."""
    return flat(unescape(re.sub(r"<[^>]+>", "", page)))


def figures(page: str) -> dict[tuple[str, str], list[str]]:
    """Return (better, other) -> the numbers in the table of all pairs."""
    table = page.split('aria-label="All numbers of the pairs"')[1].split("</table>")[0]
    found = {}
    for row in table.split("<tr>")[2:]:
        cells = [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]
        a, b, *numbers = cells
        del numbers[-1], numbers[12], numbers[4]  # verdict and notes in words
        found[a, b] = numbers
    return found


def test_pending_page_warns_if_no_worker_is_running(
    visit: Visit, owner: User, many: Collection, given: dict[str, list[float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_all_to_workers(monkeypatch)
    assert "No worker is alive." in visit(owner).get(address(many)).content.decode()
    report_alive("worker", Pool(("interactive", "bulk"), 1))
    assert "No worker is alive." not in visit(owner).get(address(many)).content.decode()
