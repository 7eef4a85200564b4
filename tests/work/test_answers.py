"""Answers are keyed by their inputs, computed once, and deleted with their inputs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple

import pytest
from django.http import HttpRequest, HttpResponse

from qc4.problems import InputError, Problem
from work import answer_worker, budget
from work.answer_worker import SOURCE, compute_waiting_answers
from work.answers import Answer, AnswerFailed, InputsDeleted, Pending, delete_answers
from work.budget import AnswerBudgetMiddleware, TooManyAnswers, precomputing
from work.models import AnswerPart, StoredAnswer
from work.records import RECORDS
from work.sources import INTERACTIVE

pytestmark = [pytest.mark.django_db, pytest.mark.costs]


@dataclass(frozen=True)
class Sum:
    numbers: tuple[int, ...]
    scope: str = "collection 1"

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(f"number {one}" for one in self.numbers)


@dataclass(frozen=True)
class Total:
    total: int
    rows: tuple[int, ...] = ()


class Place(NamedTuple):
    name: str
    number: int | None


@pytest.fixture
def computed() -> list[Sum]:
    """The inputs that were computed, in order."""
    return []


@pytest.fixture
def sums(computed: list[Sum]) -> Iterator[Answer[Sum, Total]]:
    def compute(asked: Sum) -> Total:
        computed.append(asked)
        if -1 in asked.numbers:
            raise InputError([Problem("negative", "numbers", "-1", "numbers from 0 on")])
        if -2 in asked.numbers:
            raise ZeroDivisionError
        if -3 in asked.numbers:
            raise InputsDeleted
        return Total(sum(asked.numbers), asked.numbers)

    name = "test-sum"
    yield Answer(name, Sum, Total, compute, cost=lambda asked: len(asked.numbers), cheap=3, parts={"rows": 2})
    del Answer.KINDS[name]


def in_request(answer: Answer[Sum, Total], *asked: Sum) -> list[Total]:
    """Return the answers that one request gets."""
    found: list[Total] = []

    def view(request: HttpRequest) -> HttpResponse:
        found.extend(answer.get(one) for one in asked)
        return HttpResponse()

    AnswerBudgetMiddleware(view)(HttpRequest())
    return found


def test_requests_compute_cheap_answers_and_workers_compute_costly_ones(
    sums: Answer[Sum, Total], computed: list[Sum]
) -> None:
    assert in_request(sums, Sum((1, 2))) == [Total(3, (1, 2))]
    costly = Sum((1, 2, 3, 4))
    for _ in range(3):
        with pytest.raises(Pending):
            in_request(sums, costly)
    assert computed == [Sum((1, 2))]
    assert compute_waiting_answers() == 1
    assert in_request(sums, costly)[0].total == 10
    assert computed == [Sum((1, 2)), costly]


def test_all_answers_of_a_request_share_one_budget(sums: Answer[Sum, Total]) -> None:
    assert len(in_request(sums, Sum((1, 2)))) == 1
    with pytest.raises(Pending):
        in_request(sums, Sum((3, 4)), Sum((5, 6)))


def test_costly_answers_are_computed_and_stored_outside_requests(sums: Answer[Sum, Total], computed: list[Sum]) -> None:
    asked = Sum((1, 2, 3, 4, 5))
    assert sums.get(asked).total == 15
    assert sums.get(asked).total == 15
    assert computed == [asked]


def test_long_lists_are_stored_and_read_in_parts(sums: Answer[Sum, Total]) -> None:
    asked = Sum((5, 6, 7, 8, 9))
    sums.get(asked)
    assert sums.rows(asked, "rows", 1, 4) == [6, 7, 8]
    assert sums.rows(asked, "rows", 4, 9) == [9]
    assert sums.get(asked) == Total(35)
    assert AnswerPart.objects.filter(field="rows").count() == 3


def test_computed_and_stored_rows_are_the_same(sums: Answer[Sum, Total]) -> None:
    asked = Sum((5, 6, 7, 8, 9))
    fresh, stored = sums.get(asked), sums.get(asked)
    assert (fresh.rows, stored.rows) == ((5, 6, 7, 8, 9), ())
    for found in (fresh, stored):
        assert sums.records(asked, found, "rows", 1, 4) == [6, 7, 8]
        assert sums.records(asked, found, "rows", 4, 5) == [9]
        assert sums.records(asked, found, "rows", 5, 5) == []
        assert json.loads(sums.as_json(asked, found, "rows")) == [5, 6, 7, 8, 9]


def test_named_tuples_can_be_stored() -> None:
    some = (Place("a", 1), Place("b", None))
    assert RECORDS.structure(json.loads(json.dumps(RECORDS.unstructure(some))), tuple[Place, ...]) == some


def test_key_depends_on_the_kind_and_the_inputs(sums: Answer[Sum, Total]) -> None:
    assert sums.key(Sum((1,))) == sums.key(Sum((1,)))
    assert sums.key(Sum((1,))) != sums.key(Sum((2,)))
    other = Answer("test-other", Sum, Total, sums.compute, cost=sums.cost, cheap=3)
    try:
        assert other.key(Sum((1,))) != sums.key(Sum((1,)))
    finally:
        del Answer.KINDS["test-other"]


def test_input_errors_are_raised_again_from_the_store(sums: Answer[Sum, Total]) -> None:
    asked = Sum((-1, 0, 0, 0))
    with pytest.raises(Pending):
        in_request(sums, asked)
    compute_waiting_answers()
    with pytest.raises(InputError, match="numbers from 0 on"):
        in_request(sums, asked)


def test_failures_are_reported_and_retried_later(
    sums: Answer[Sum, Total], computed: list[Sum], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Sum((-2, 0, 0, 0))
    with pytest.raises(Pending):
        in_request(sums, asked)
    compute_waiting_answers()
    with pytest.raises(AnswerFailed, match="our fault"):
        in_request(sums, asked)
    assert compute_waiting_answers() == 0
    monkeypatch.setattr("work.answers.FAILURE_SECONDS", 0)
    with pytest.raises(Pending):
        in_request(sums, asked)
    assert compute_waiting_answers() == 1
    assert computed == [asked, asked]


def test_answers_whose_inputs_are_gone_are_deleted(sums: Answer[Sum, Total]) -> None:
    with pytest.raises(Pending):
        in_request(sums, Sum((-3, 0, 0, 0)))
    compute_waiting_answers()
    assert not StoredAnswer.objects.exists()


def test_worker_that_lost_its_lease_writes_nothing(sums: Answer[Sum, Total]) -> None:
    with pytest.raises(Pending):
        in_request(sums, Sum((1, 2, 3, 4)))
    slow = SOURCE.claim("slow", INTERACTIVE)
    assert slow is not None
    assert SOURCE.claim("other", INTERACTIVE) is None
    StoredAnswer.objects.update(lease_until="2020-01-01T00:00:00Z")
    assert SOURCE.sweep()["requeued"] == 1
    slow.run()
    assert StoredAnswer.objects.get().state == StoredAnswer.State.QUEUED
    assert not AnswerPart.objects.exists()
    assert compute_waiting_answers() == 1
    assert StoredAnswer.objects.get().state == StoredAnswer.State.DONE


def test_answers_that_kill_workers_fail_after_the_last_attempt(
    sums: Answer[Sum, Total], settings: pytest.FixtureRequest
) -> None:
    asked = Sum((1, 2, 3, 4))
    with pytest.raises(Pending):
        in_request(sums, asked)
    for _ in range(settings.JOB_MAX_ATTEMPTS):  # type: ignore[attr-defined]
        assert SOURCE.claim("dies", INTERACTIVE) is not None
        StoredAnswer.objects.update(lease_until="2020-01-01T00:00:00Z")
        SOURCE.sweep()
    with pytest.raises(AnswerFailed, match="died"):
        in_request(sums, asked)


def test_answers_for_waiting_pages_come_before_precomputed_answers(
    sums: Answer[Sum, Total], computed: list[Sum]
) -> None:
    first, second, third = (Sum((n, 1, 1, 1)) for n in (1, 2, 3))
    for prepared in (first, second):
        with precomputing(), pytest.raises(Pending):
            sums.get(prepared)
    for waited in (third, second):  # somebody requests an answer that is queued for precomputing
        with pytest.raises(Pending):
            in_request(sums, waited)
    compute_waiting_answers()
    assert computed == [second, third, first]


def test_answers_are_deleted_with_their_sources_or_collection(sums: Answer[Sum, Total]) -> None:
    kept, gone, elsewhere = Sum((1, 12)), Sum((2, 3)), Sum((2, 3), scope="collection 2")
    for one in (kept, gone, elsewhere):
        sums.get(one)
    assert AnswerPart.objects.count() == 6
    delete_answers("collection 1", ["number 2", "number 4"])
    assert [sums.is_stored(one) for one in (kept, gone, elsewhere)] == [True, False, True]
    delete_answers("collection 1", [])
    assert sums.is_stored(kept)
    delete_answers("collection 1")
    assert [sums.is_stored(one) for one in (kept, gone, elsewhere)] == [False, False, True]
    assert AnswerPart.objects.count() == 2


def test_deleting_answers_of_many_sources_takes_few_queries(
    sums: Answer[Sum, Total], django_assert_max_num_queries: Callable[..., AbstractContextManager[object]]
) -> None:
    some = [Sum((n, n)) for n in range(30)]
    for one in some:
        sums.get(one)
    with django_assert_max_num_queries(4):
        delete_answers("collection 1", [f"number {n}" for n in range(1, 150)])
    assert [one for one in some if sums.is_stored(one)] == [Sum((0, 0))]


@pytest.mark.parametrize("is_begun", [False, True])
def test_worker_stores_nothing_if_the_answer_was_deleted(
    sums: Answer[Sum, Total], monkeypatch: pytest.MonkeyPatch, is_begun: bool
) -> None:
    with pytest.raises(Pending):
        in_request(sums, Sum((1, 2, 3, 4)))
    at_work = SOURCE.claim("at work", INTERACTIVE)
    assert at_work is not None

    def delete_a_source(asked: Sum) -> Total:
        delete_answers("collection 1", ["number 3"])
        return Total(10)

    if is_begun:
        monkeypatch.setattr(sums, "compute", delete_a_source)
    else:
        delete_answers("collection 1", ["number 3"])
    at_work.run()
    assert not StoredAnswer.objects.exists()
    assert not AnswerPart.objects.exists()


def test_costly_answers_have_a_rate_limit(sums: Answer[Sum, Total], settings: pytest.FixtureRequest) -> None:
    settings.RATES = settings.RATES | {"answers": "2/hour"}  # type: ignore[attr-defined]
    for n in (1, 2):
        with pytest.raises(Pending):
            in_request(sums, Sum((n, 1, 1, 1)))
    with pytest.raises(TooManyAnswers, match="recently"):
        in_request(sums, Sum((3, 1, 1, 1)))
    with pytest.raises(Pending):  # this answer was requested before the limit was reached
        in_request(sums, Sum((2, 1, 1, 1)))
    assert in_request(sums, Sum((3, 1))) == [Total(4, (3, 1))]


def test_number_of_waiting_answers_is_limited(sums: Answer[Sum, Total], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MAX_WAITING", 1)
    with pytest.raises(Pending):
        in_request(sums, Sum((1, 1, 1, 1)))
    with pytest.raises(TooManyAnswers, match="busy computing"):
        in_request(sums, Sum((2, 1, 1, 1)))


def test_least_recently_used_answers_are_deleted_first(
    sums: Answer[Sum, Total], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = [Sum((n, n)) for n in range(4)]
    for n, one in enumerate(some):
        sums.get(one)
        StoredAnswer.objects.filter(pk=sums.key(one)).update(used_at=f"2030-01-0{n + 1}T00:00:00Z", size=10)
    monkeypatch.setattr(answer_worker, "MAX_TOTAL_BYTES", 20)
    answer_worker.delete_old_answers()
    assert [sums.is_stored(one) for one in some] == [False, False, True, True]


def test_get_all_raises_or_skips_failures_without_retrying_them(sums: Answer[Sum, Total], computed: list[Sum]) -> None:
    some = [Sum((1, 2)), Sum((-2, 0, 0, 0)), Sum((1, 1, 1, 1))]

    def look(*, is_needed: bool) -> list[Total | None]:
        found: list[Total | None] = []

        def view(request: HttpRequest) -> HttpResponse:
            found.extend(sums.get_all(some, lambda asked: [sums.compute(one) for one in asked], is_needed=is_needed))
            return HttpResponse()

        AnswerBudgetMiddleware(view)(HttpRequest())
        return found

    assert [one is not None for one in look(is_needed=True)] == [True, False, False]
    assert compute_waiting_answers() == 2
    assert [one is not None for one in look(is_needed=False)] == [True, False, True]
    with pytest.raises(AnswerFailed):
        look(is_needed=True)
    assert compute_waiting_answers() == 0


def test_request_waits_if_an_input_changes_during_the_computation(sums: Answer[Sum, Total]) -> None:
    with pytest.raises(Pending):
        in_request(sums, Sum((-3,)))
    assert not StoredAnswer.objects.exists()
