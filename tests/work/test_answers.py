"""Answers: found by what they follow from, worked out once, by whoever may, and deleted with what they follow from."""

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
from work.answer_worker import SOURCE, work_off
from work.answers import Answer, Failed, Gone, Pending, forget
from work.budget import AnswersInRequests, TooManyAnswers, beforehand
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
def said() -> list[Sum]:
    """What was worked out, in order."""
    return []


@pytest.fixture
def sums(said: list[Sum]) -> Iterator[Answer[Sum, Total]]:
    def work_out(asked: Sum) -> Total:
        said.append(asked)
        if -1 in asked.numbers:
            raise InputError([Problem("negative", "numbers", "-1", "numbers from 0 on")])
        if -2 in asked.numbers:
            raise ZeroDivisionError
        if -3 in asked.numbers:
            raise Gone
        return Total(sum(asked.numbers), asked.numbers)

    name = "test-sum"
    yield Answer(name, Sum, Total, work_out, cost=lambda asked: len(asked.numbers), cheap=3, parts={"rows": 2})
    del Answer.KINDS[name]


def in_request(answer: Answer[Sum, Total], *asked: Sum) -> list[Total]:
    """What one request gets, one answer after the other."""
    found: list[Total] = []

    def view(request: HttpRequest) -> HttpResponse:
        found.extend(answer.get(one) for one in asked)
        return HttpResponse()

    AnswersInRequests(view)(HttpRequest())
    return found


def test_cheap_answers_come_at_once_and_costly_ones_from_a_worker(sums: Answer[Sum, Total], said: list[Sum]) -> None:
    assert in_request(sums, Sum((1, 2))) == [Total(3, (1, 2))]
    costly = Sum((1, 2, 3, 4))
    for _ in range(3):
        with pytest.raises(Pending):
            in_request(sums, costly)
    assert said == [Sum((1, 2))]
    assert work_off() == 1
    assert in_request(sums, costly)[0].total == 10
    assert said == [Sum((1, 2)), costly]


def test_a_request_works_out_only_so_much_in_all(sums: Answer[Sum, Total]) -> None:
    assert len(in_request(sums, Sum((1, 2)))) == 1
    with pytest.raises(Pending):
        in_request(sums, Sum((3, 4)), Sum((5, 6)))


def test_outside_of_requests_everything_is_worked_out_and_stored(sums: Answer[Sum, Total], said: list[Sum]) -> None:
    asked = Sum((1, 2, 3, 4, 5))
    assert sums.get(asked).total == 15
    assert sums.get(asked).total == 15
    assert said == [asked]


def test_long_lists_are_stored_and_read_in_parts(sums: Answer[Sum, Total]) -> None:
    asked = Sum((5, 6, 7, 8, 9))
    sums.get(asked)
    assert sums.rows(asked, "rows", 1, 4) == [6, 7, 8]
    assert sums.rows(asked, "rows", 4, 9) == [9]
    assert sums.get(asked) == Total(35)
    assert AnswerPart.objects.filter(field="rows").count() == 3


def test_rows_are_the_same_whether_just_worked_out_or_stored(sums: Answer[Sum, Total]) -> None:
    asked = Sum((5, 6, 7, 8, 9))
    fresh, stored = sums.get(asked), sums.get(asked)
    assert (fresh.rows, stored.rows) == ((5, 6, 7, 8, 9), ())
    for found in (fresh, stored):
        assert sums.some(asked, found, "rows", 1, 4) == [6, 7, 8]
        assert sums.some(asked, found, "rows", 4, 5) == [9]
        assert sums.some(asked, found, "rows", 5, 5) == []
        assert json.loads(sums.texts(asked, found, "rows")) == [5, 6, 7, 8, 9]


def test_named_tuples_are_records_too() -> None:
    some = (Place("a", 1), Place("b", None))
    assert RECORDS.structure(json.loads(json.dumps(RECORDS.unstructure(some))), tuple[Place, ...]) == some


def test_the_key_is_everything_it_follows_from_and_nothing_else(sums: Answer[Sum, Total]) -> None:
    assert sums.key(Sum((1,))) == sums.key(Sum((1,)))
    assert sums.key(Sum((1,))) != sums.key(Sum((2,)))
    other = Answer("test-other", Sum, Total, sums.work_out, cost=sums.cost, cheap=3)
    try:
        assert other.key(Sum((1,))) != sums.key(Sum((1,)))
    finally:
        del Answer.KINDS["test-other"]


def test_what_cannot_be_answered_is_told_as_it_is(sums: Answer[Sum, Total]) -> None:
    asked = Sum((-1, 0, 0, 0))
    with pytest.raises(Pending):
        in_request(sums, asked)
    work_off()
    with pytest.raises(InputError, match="numbers from 0 on"):
        in_request(sums, asked)


def test_a_fault_is_told_and_tried_again_later(
    sums: Answer[Sum, Total], said: list[Sum], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Sum((-2, 0, 0, 0))
    with pytest.raises(Pending):
        in_request(sums, asked)
    work_off()
    with pytest.raises(Failed, match="our fault"):
        in_request(sums, asked)
    assert work_off() == 0
    monkeypatch.setattr("work.answers.FAILED_SECONDS", 0)
    with pytest.raises(Pending):
        in_request(sums, asked)
    assert work_off() == 1
    assert said == [asked, asked]


def test_what_follows_from_nothing_any_more_is_forgotten(sums: Answer[Sum, Total]) -> None:
    with pytest.raises(Pending):
        in_request(sums, Sum((-3, 0, 0, 0)))
    work_off()
    assert not StoredAnswer.objects.exists()


def test_a_worker_that_lost_its_answer_writes_nothing(sums: Answer[Sum, Total]) -> None:
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
    assert work_off() == 1
    assert StoredAnswer.objects.get().state == StoredAnswer.State.DONE


def test_what_kills_workers_is_given_up(sums: Answer[Sum, Total], settings: pytest.FixtureRequest) -> None:
    asked = Sum((1, 2, 3, 4))
    with pytest.raises(Pending):
        in_request(sums, asked)
    for _ in range(settings.JOB_MAX_ATTEMPTS):  # type: ignore[attr-defined]
        assert SOURCE.claim("dies", INTERACTIVE) is not None
        StoredAnswer.objects.update(lease_until="2020-01-01T00:00:00Z")
        SOURCE.sweep()
    with pytest.raises(Failed, match="died"):
        in_request(sums, asked)


def test_what_a_page_waits_for_goes_before_what_is_prepared(sums: Answer[Sum, Total], said: list[Sum]) -> None:
    first, second, third = (Sum((n, 1, 1, 1)) for n in (1, 2, 3))
    for prepared in (first, second):
        with beforehand(), pytest.raises(Pending):
            sums.get(prepared)
    for waited in (third, second):  # somebody comes for one that is being prepared
        with pytest.raises(Pending):
            in_request(sums, waited)
    work_off()
    assert said == [second, third, first]


def test_answers_go_with_what_they_follow_from(sums: Answer[Sum, Total]) -> None:
    kept, gone, elsewhere = Sum((1, 12)), Sum((2, 3)), Sum((2, 3), scope="collection 2")
    for one in (kept, gone, elsewhere):
        sums.get(one)
    assert AnswerPart.objects.count() == 6
    forget("collection 1", ["number 2", "number 4"])
    assert [sums.is_there(one) for one in (kept, gone, elsewhere)] == [True, False, True]
    forget("collection 1", [])
    assert sums.is_there(kept)
    forget("collection 1")
    assert [sums.is_there(one) for one in (kept, gone, elsewhere)] == [False, False, True]
    assert AnswerPart.objects.count() == 2


def test_forgetting_many_costs_few_queries(
    sums: Answer[Sum, Total], django_assert_max_num_queries: Callable[..., AbstractContextManager[object]]
) -> None:
    some = [Sum((n, n)) for n in range(30)]
    for one in some:
        sums.get(one)
    with django_assert_max_num_queries(4):
        forget("collection 1", [f"number {n}" for n in range(1, 150)])
    assert [one for one in some if sums.is_there(one)] == [Sum((0, 0))]


@pytest.mark.parametrize("is_begun", [False, True])
def test_a_worker_stores_nothing_of_what_is_forgotten_meanwhile(
    sums: Answer[Sum, Total], monkeypatch: pytest.MonkeyPatch, is_begun: bool
) -> None:
    with pytest.raises(Pending):
        in_request(sums, Sum((1, 2, 3, 4)))
    at_work = SOURCE.claim("at work", INTERACTIVE)
    assert at_work is not None

    def while_it_is_worked_out(asked: Sum) -> Total:
        forget("collection 1", ["number 3"])
        return Total(10)

    if is_begun:
        monkeypatch.setattr(sums, "work_out", while_it_is_worked_out)
    else:
        forget("collection 1", ["number 3"])
    at_work.run()
    assert not StoredAnswer.objects.exists()
    assert not AnswerPart.objects.exists()


def test_costly_answers_are_begun_at_a_rate(sums: Answer[Sum, Total], settings: pytest.FixtureRequest) -> None:
    settings.RATES = settings.RATES | {"answers": "2/hour"}  # type: ignore[attr-defined]
    for n in (1, 2):
        with pytest.raises(Pending):
            in_request(sums, Sum((n, 1, 1, 1)))
    with pytest.raises(TooManyAnswers, match="lately"):
        in_request(sums, Sum((3, 1, 1, 1)))
    with pytest.raises(Pending):  # what was begun goes on
        in_request(sums, Sum((2, 1, 1, 1)))
    assert in_request(sums, Sum((3, 1))) == [Total(4, (3, 1))]


def test_no_more_wait_than_there_is_room_for(sums: Answer[Sum, Total], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MOST_WAITING", 1)
    with pytest.raises(Pending):
        in_request(sums, Sum((1, 1, 1, 1)))
    with pytest.raises(TooManyAnswers, match="as much as it can"):
        in_request(sums, Sum((2, 1, 1, 1)))


def test_the_longest_unused_go_first_where_there_is_too_much(
    sums: Answer[Sum, Total], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = [Sum((n, n)) for n in range(4)]
    for n, one in enumerate(some):
        sums.get(one)
        StoredAnswer.objects.filter(pk=sums.key(one)).update(used_at=f"2030-01-0{n + 1}T00:00:00Z", size=10)
    monkeypatch.setattr(answer_worker, "KEPT_BYTES", 20)
    answer_worker.tidy()
    assert [sums.is_there(one) for one in some] == [False, False, True, True]


def test_of_several_what_failed_is_told_or_left_out_and_not_tried_at_every_look(
    sums: Answer[Sum, Total], said: list[Sum]
) -> None:
    some = [Sum((1, 2)), Sum((-2, 0, 0, 0)), Sum((1, 1, 1, 1))]

    def look(*, is_needed: bool) -> list[Total | None]:
        found: list[Total | None] = []

        def view(request: HttpRequest) -> HttpResponse:
            found.extend(sums.get_all(some, lambda asked: [sums.work_out(one) for one in asked], is_needed=is_needed))
            return HttpResponse()

        AnswersInRequests(view)(HttpRequest())
        return found

    assert [one is not None for one in look(is_needed=True)] == [True, False, False]
    assert work_off() == 2
    assert [one is not None for one in look(is_needed=False)] == [True, False, True]
    with pytest.raises(Failed):
        look(is_needed=True)
    assert work_off() == 0


def test_what_changes_while_a_request_works_it_out_is_asked_for_again(sums: Answer[Sum, Total]) -> None:
    with pytest.raises(Pending):
        in_request(sums, Sum((-3,)))
    assert not StoredAnswer.objects.exists()
