"""The home page: the purpose of the site, a real comparison, and three links to start from."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from annotations.imports.services import import_documents
from annotations.models import Collection
from evaluation.collections.first_picture import first_picture
from evaluation.limits import HOME_CHART_ALGORITHMS
from evaluation.ranking.leaderboard import leaderboard
from evaluation.ranking.standings import BOARD
from evaluation.scoring.options import BoardOptions
from qc4.model.gold_document import GoldDocument
from qc4.stats import compare, leader_sentence
from tests.fixtures.pages import Visit
from tests.samples.documents import GOOD_ANSWER, Answers, submission_document
from tests.samples.submissions import hand_in
from tests.stored_answers import compute_waiting_answers
from work import answers

Finish = Callable[..., None]
POOR_ANSWER: Answers = {"mercury": (("p1", "p4", "p8"), ("p2", "p5")), "saturn": (("p1", "p3"), ("p2", "p4"))}
ADDRESS = reverse("collections")


@pytest.fixture
def compared(public_collection: Collection, owner: User, finish: Finish) -> Collection:
    """A public collection with two scored algorithms."""
    answer(public_collection, owner, "Good", GOOD_ANSWER)
    answer(public_collection, owner, "Poor", POOR_ANSWER)
    finish()
    return public_collection


def answer(
    collection: Collection, user: User, name: str, answers: Answers = GOOD_ANSWER, *, published: bool = True
) -> None:
    hand_in(collection, submission_document(answers, name), user, published=published)


def test_chart_shows_the_leaderboards_comparison(visit: Visit, compared: Collection, owner: User) -> None:
    board = leaderboard(compared, owner, BoardOptions(measures=("qc4_f",)), details=True)
    rows = {row.algorithm.name: row.details["qc4_f"] for row in board.rows}
    given = [[math.nan if value is None else value for value in one.per_query] for one in rows.values()]
    found = compare(given, list(rows), board.query_keys, missing="worst")

    page = visit(None).get(ADDRESS).content.decode()

    assert leader_sentence(found, "algorithm") in page
    picture = first_picture()
    assert picture is not None
    assert [(line.name, line.mean.value) for line in picture.compared.algorithms] == [
        (system.system, system.mean) for system in found.systems
    ]
    assert all(
        line.mean.value == pytest.approx(rows[line.name].mean.value, abs=1e-12) for line in picture.compared.algorithms
    )
    assert page.count('<svg class="at"') == 2


def test_chart_without_two_scored_algorithms_shows_a_message(
    visit: Visit, public_collection: Collection, owner: User, finish: Finish
) -> None:
    answer(public_collection, owner, "Good")
    finish()
    page = visit(None).get(ADDRESS).content.decode()
    assert "Nothing to compare yet" in page
    assert '<svg class="interval' not in page


def test_chart_never_contains_private_data(
    visit: Visit, compared: Collection, collection: Collection, owner: User, finish: Finish
) -> None:
    answer(compared, owner, "Hidden answer", published=False)
    for name in ("Inner one", "Inner two", "Inner three"):
        answer(collection, owner, name)
    finish()
    picture = first_picture()
    assert picture is not None
    assert picture.collection == compared
    assert {line.name for line in picture.compared.algorithms} == {"Good", "Poor"}
    page = visit(None).get(ADDRESS).content.decode()
    assert not any(name in page for name in ("Hidden answer", "Inner one", collection.name))


def test_collection_made_private_disappears_immediately(visit: Visit, compared: Collection) -> None:
    assert first_picture() is not None
    compared.visibility = Collection.Visibility.PRIVATE
    compared.save()
    assert "Nothing to compare yet" in visit(None).get(ADDRESS).content.decode()


def test_chart_shows_means_until_the_verdict_is_computed(compared: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as large:
        large.setattr(BOARD, "cheap", 5)
        large.setattr(answers, "is_in_request", lambda: True)
        large.setattr(answers, "spend_request_budget", lambda share: share < 1)
        picture = first_picture()
        assert picture is not None
        assert not picture.compared.verdict
        compute_waiting_answers()
        picture = first_picture()
        assert picture is not None
        assert picture.compared.verdict


def test_number_of_queries_is_constant(
    compared: Collection, owner: User, finish: Finish, gold_documents: tuple[GoldDocument, ...]
) -> None:
    def asked() -> tuple[int, int]:
        with CaptureQueriesContext(connection) as cold:
            first_picture()
        with CaptureQueriesContext(connection) as warm:
            first_picture()
        return len(cold), len(warm)

    few = asked()
    for number in range(4):
        answer(compared, owner, f"More {number}")
        other = import_documents(name=f"Other {number}", documents=gold_documents[:1], user=owner, public=True)
        for name in ("One", "Two"):
            answer(other, owner, name, {"mercury": GOOD_ANSWER["mercury"]})
    finish()
    assert asked() == few


def test_the_collection_with_more_queries_is_shown(
    compared: Collection, owner: User, finish: Finish, gold_documents: tuple[GoldDocument, ...]
) -> None:
    small = import_documents(name="Small", documents=gold_documents[:1], user=owner, public=True)
    only = {"mercury": GOOD_ANSWER["mercury"]}
    for name in ("One", "Two", "Three"):
        answer(small, owner, name, only)
    finish()
    picture = first_picture()
    assert picture is not None
    assert picture.collection == compared


def test_only_leading_algorithms_are_drawn_and_the_others_counted(
    visit: Visit, compared: Collection, owner: User, finish: Finish
) -> None:
    for number in range(HOME_CHART_ALGORITHMS):
        answer(compared, owner, f"More {number}")
    finish()
    picture = first_picture()
    assert picture is not None
    found = picture.compared
    assert (len(found.algorithms), found.more, found.compared, found.left_aside) == (8, 2, 10, 0)
    assert "2 more compared" in visit(None).get(ADDRESS).content.decode()


def test_long_names_are_shortened_distinctly_and_escaped(
    visit: Visit, compared: Collection, owner: User, finish: Finish
) -> None:
    alike = "Very long " * 8
    for name in ("<b>bold</b>", f"{alike}one", f"{alike}two", "Unmistakable " * 6):
        answer(compared, owner, name.strip())
    finish()
    picture = first_picture()
    assert picture is not None
    assert f"{alike}one" in {line.name for line in picture.compared.algorithms}
    page = visit(None).get(ADDRESS).content.decode()
    assert "&lt;b&gt;bold" in page
    assert "<b>bold" not in page


def links(page: str) -> list[str]:
    """The URLs of the three links to start from."""
    ways = page.partition('<ul class="ways')[2].partition("</ul>")[0]
    return [part.partition('"')[0] for part in ways.split('<a href="')[1:]]


def test_visitors_get_links_to_results_and_sign_in(visit: Visit, compared: Collection) -> None:
    page = visit(None).get(ADDRESS).content.decode()
    sign_in, board = reverse("sign-in"), reverse("leaderboard", args=[compared.slug])
    assert links(page) == [board, f"{sign_in}?next={ADDRESS}", f"{sign_in}?next={reverse('import')}"]
    assert "Which clustering algorithm is better" in page


def test_members_get_links_to_collections_they_can_work_on(
    visit: Visit, compared: Collection, collection: Collection, submitter: User, curator: User, reader: User
) -> None:
    board, own = reverse("leaderboard", args=[compared.slug]), reverse("import")
    submit, curate = (reverse(name, args=[collection.slug]) for name in ("submit", "curate"))
    for user, expected in (
        (submitter, [board, submit, own]),
        (curator, [board, own, curate]),
        (reader, [board, own, own]),
    ):
        client = visit(user)
        found = links(client.get(ADDRESS).content.decode())
        assert found == expected
        assert all(client.get(address).status_code == 200 for address in found)


def test_signed_in_users_see_the_list_first(visit: Visit, compared: Collection, owner: User) -> None:
    page = visit(owner).get(ADDRESS).content.decode()
    assert "<h1>Collections</h1>" in page
    assert page.count('<ul class="ways brief">') == 1
    assert '<details class="panel about-site">' in page
