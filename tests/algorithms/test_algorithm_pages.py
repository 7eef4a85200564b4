"""The page of an algorithm: description, effective submission, other collections, rename, merge and delete."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import User
from accounts.services import tokens
from annotations.models import Collection, Membership, Role
from evaluation.algorithms.services import merge, rename, set_rule
from evaluation.limits import ALGORITHM_CHARS
from evaluation.models import Algorithm, Submission
from evaluation.scoring import exports
from qc4.io import write_submission
from tests.fixtures.pages import Visit
from tests.samples.documents import GOOD_ANSWER, submission_document
from tests.samples.submissions import hand_in

Submit = Callable[..., tuple[Submission, object]]
BIBTEX = "@article{weiss2026,\n  title = {Clusters {and} names},\n  year = 2026\n}"
POOR = {"mercury": (("p1", "p4", "p6", "p7"), ("p2", "p5", "p8", "p3")), "saturn": (("p1", "p3"), ("p2",))}


def text(client: object, name: str, *args: object, status: int = 200, **given: str) -> str:
    response = client.get(reverse(name, args=args), given)
    assert response.status_code == status, response.content.decode()[:500]
    return response.content.decode()


@pytest.fixture
def two(submit: Submit, submitter: User, finish: Callable[..., None]) -> list[Submission]:
    """The submitter's good submission, and a poor one after it."""
    made = [submit(submitter, answers=answers)[0] for answers in (GOOD_ANSWER, POOR)]
    finish()
    return made


def test_page_shows_the_description_and_marks_the_effective_submission(
    visit: Visit, two: list[Submission], reader: User
) -> None:
    algorithm = two[0].algorithm
    page = text(visit(reader), "algorithm", algorithm.pk)
    rows = [row for row in page.split("<tr>") if ">counts<" in row]
    assert len(rows) == 1
    assert f">#{two[1].pk}<" in rows[0]
    assert "Describe it" not in page
    set_rule(algorithm, "best", "qc4_f")
    page = text(visit(reader), "algorithm", algorithm.pk)
    assert f">#{two[0].pk}<" in next(row for row in page.split("<tr>") if ">counts<" in row)
    board = text(visit(reader), "leaderboard", algorithm.collection.slug)
    assert "best by QC4-F</span>" in board
    assert reverse("algorithm", args=[algorithm.pk]) in board
    csv = text(visit(reader), "leaderboard-csv", algorithm.collection.slug)
    head, line = csv.splitlines()[:2]
    facts = dict(zip(head.split(","), line.split(","), strict=False))
    assert (facts["submitted_by"], facts["counts"], facts["submission"]) == (
        "submitter",
        "best by QC4-F",
        f"{two[0].pk}",
    )


def test_creator_describes_it_and_readers_see_it_escaped(visit: Visit, two: list[Submission], reader: User) -> None:
    algorithm, client = two[0].algorithm, visit(two[0].created_by)
    said = {
        "name": "Lingo", "description": "See https://example.org/a?b=1&c=2. <script>x</script> javascript:alert(1)",
        "authors": "A. Weiß", "code_url": "https://example.org/code", "bibtex": BIBTEX, "seconds_per_query": "0.25",
    }  # fmt: skip
    assert client.post(reverse("algorithm-edit", args=[algorithm.pk]), said).status_code == 302
    page = text(visit(reader), "algorithm", algorithm.pk)
    assert '<a href="https://example.org/a?b=1&amp;c=2" rel="nofollow noopener">' in page
    assert "&lt;script&gt;" in page
    assert 'href="javascript' not in page
    assert "@article{weiss2026," in page
    assert "0.25 s" in page


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("bibtex", "@article{title = {x}}", "line 1: @article has no key"),
        ("bibtex", "see our paper", "no entry"),
        ("code_url", "javascript:alert(1)", "https://"),
        ("paper_url", "ftp://example.org/x", "https://"),
        ("seconds_per_query", "nan", "number"),
        ("name", "x" * (ALGORITHM_CHARS + 1), "at most"),
        ("name", " ", "required"),
    ],
)
def test_errors_appear_at_their_fields_and_nothing_is_stored(
    visit: Visit, two: list[Submission], field: str, value: str, words: str
) -> None:
    algorithm = two[0].algorithm
    said = {"name": "Renamed", "description": "New", field: value}
    response = visit(two[0].created_by).post(reverse("algorithm-edit", args=[algorithm.pk]), said)
    assert response.status_code == 400
    assert words in response.content.decode()
    algorithm.refresh_from_db()
    assert (algorithm.name, algorithm.description) == ("Lingo", "")


def test_old_name_leads_to_the_renamed_algorithm(visit: Visit, two: list[Submission], submit: Submit) -> None:
    algorithm, maker = two[0].algorithm, two[0].created_by
    rename(algorithm, "Lingo 2")
    again, _ = submit(maker, "lingo")
    assert again.algorithm == algorithm
    assert "Former name" in text(visit(maker), "algorithm", algorithm.pk)
    rename(algorithm, "Lingo")
    assert list(algorithm.former_names.values_list("name", flat=True)) == ["Lingo 2"]


def test_name_of_another_algorithm_is_rejected(visit: Visit, two: list[Submission], submit: Submit) -> None:
    other, _ = submit(two[0].created_by, "Other")
    rename(other.algorithm, "Third")
    edit = reverse("algorithm-edit", args=[two[0].algorithm_id])
    for name in ("Third", "other"):
        response = visit(two[0].created_by).post(edit, {"name": name})
        assert "another algorithm&#x27;s name" in response.content.decode()


def test_merge_page_shows_the_effects_and_merging_moves_everything(
    visit: Visit, two: list[Submission], submit: Submit
) -> None:
    maker, into = two[0].created_by, two[0].algorithm
    gone = submit(maker, "Lingo (new)")[0].algorithm
    Algorithm.objects.filter(pk=gone.pk).update(authors="A. Weiß", counts="pinned", pinned=gone.submissions.get())
    client, address = visit(maker), reverse("algorithm-merge", args=[gone.pk])
    told = client.get(address, {"into": into.pk}).content.decode()
    assert "1 submission" in told
    assert "authors" in told
    assert "loses its pin" in told
    assert client.post(address, {"into": into.pk}).status_code == 400, "it wants to be sure"
    assert client.post(address, {"into": into.pk, "sure": "on"}).status_code == 302
    into.refresh_from_db()
    assert (into.submissions.count(), into.authors, into.counts) == (3, "A. Weiß", "latest")
    assert not Algorithm.objects.filter(pk=gone.pk).exists()
    moved = client.get(reverse("algorithm", args=[gone.pk]))
    assert (moved.status_code, moved.url) == (301, reverse("algorithm", args=[into.pk]))
    assert client.get(reverse("leaderboard", args=[into.collection.slug]), {"baseline": gone.pk}).status_code == 200
    assert submit(maker, "Lingo (new)")[0].algorithm == into


def test_baselines_cannot_be_changed(visit: Visit, submit: Submit, owner: User, collection: Collection) -> None:
    submission, _ = submit(owner, "Plain")
    Algorithm.objects.filter(pk=submission.algorithm_id).update(baseline="singletons", created_by=None)
    page = text(visit(owner), "algorithm", submission.algorithm_id)
    assert "built-in baseline" in page
    assert "Edit" not in page
    for name in ("algorithm-edit", "algorithm-merge"):
        text(visit(owner), name, submission.algorithm_id, status=403)


def test_creator_deletes_it_only_if_all_submissions_are_theirs(
    visit: Visit, two: list[Submission], owner: User
) -> None:
    algorithm, maker = two[0].algorithm, two[0].created_by
    hand_in(algorithm.collection, submission_document(GOOD_ANSWER, "Lingo"), owner)
    text(visit(maker), "algorithm-delete", algorithm.pk, status=403)
    told = text(visit(owner), "algorithm-delete", algorithm.pk)
    assert "3 submissions" in told
    assert visit(owner).post(reverse("algorithm-delete", args=[algorithm.pk])).status_code == 302
    assert not Submission.objects.exists()
    assert not Algorithm.objects.exists()


def test_page_lists_the_same_algorithm_in_other_visible_collections(
    visit: Visit, two: list[Submission], public_collection: Collection, owner: User, reader: User
) -> None:
    algorithm, maker = two[0].algorithm, two[0].created_by
    Membership.objects.create(collection=public_collection, user=maker, role=Role.SUBMITTER)
    there = hand_in(public_collection, submission_document(GOOD_ANSWER, "LINGO"), maker)[0].algorithm
    hand_in(public_collection, submission_document(GOOD_ANSWER, "Lingo 3"), maker)
    page = text(visit(reader), "algorithm", algorithm.pk)
    assert reverse("algorithm", args=[there.pk]) in page
    assert page.count("Open space") == 1
    there.submissions.update(published=False)
    assert "Open space" not in text(visit(reader), "algorithm", algorithm.pk)
    assert "Open space" in text(visit(owner), "algorithm", algorithm.pk)


def test_upload_form_takes_a_description_and_confirming_stores_it(
    visit: Visit, submitter: User, collection: Collection
) -> None:
    client, file = visit(submitter), io.BytesIO(write_submission(submission_document(GOOD_ANSWER, "Mine")))
    said = {"file": SimpleUploadedFile("a.json", file.getvalue()), "seed": "7", "bibtex": BIBTEX, "model": "large-2"}
    report = client.post(reverse("submit", args=[collection.slug]), said)
    client.post(reverse("submit-confirm", args=[collection.slug]), {"ticket": report.context["ticket"]})
    submission = Submission.objects.get()
    assert (submission.seed, submission.algorithm.bibtex, submission.algorithm.model) == (7, BIBTEX, "large-2")
    again = {"file": SimpleUploadedFile("a.json", file.getvalue()), "model": "large-3"}
    report = client.post(reverse("submit", args=[collection.slug]), again)
    client.post(reverse("submit-confirm", args=[collection.slug]), {"ticket": report.context["ticket"]})
    algorithm = Algorithm.objects.get()
    assert (algorithm.bibtex, algorithm.model) == (BIBTEX, "large-3"), "what is left empty stays"
    wrong = {"file": SimpleUploadedFile("a.json", file.getvalue()), "bibtex": "no"}
    response = client.post(reverse("submit", args=[collection.slug]), wrong)
    assert response.status_code == 400
    assert "no entry" in response.content.decode()


def test_api_offers_the_same_changes(visit: Visit, two: list[Submission], submitter: User, submit: Submit) -> None:
    algorithm, client = two[0].algorithm, visit(None)
    bearer = {"HTTP_AUTHORIZATION": f"Bearer {tokens.create(submitter, 'x')[1]}"}
    address = reverse("api:algorithm", args=[algorithm.pk])

    def patch(said: str) -> object:
        return client.patch(address, said, content_type="application/json", **bearer)

    changed = patch(f'{{"description": "It clusters.", "counts": "pinned", "pinned": {two[0].pk}}}').json()
    assert (changed["description"], changed["counts"], changed["pinned"]) == ("It clusters.", "pinned", two[0].pk)
    assert patch('{"authors": "A. Weiß"}').json()["pinned"] == two[0].pk, "what is not named stays"
    assert patch('{"code_url": "javascript:x"}').status_code == 400
    assert patch('{"counts": "best"}').json()["error"]["problems"][0]["where"] == "counts_by"
    body = write_submission(submission_document(GOOD_ANSWER, "Other"))
    pushed = client.post(
        reverse("api:submissions", args=[algorithm.collection.slug]) + "?paper_url=https://example.org/p",
        body, content_type="application/json", **bearer,
    )  # fmt: skip
    other = Submission.objects.get(pk=pushed.json()["submission"]["id"]).algorithm
    assert other.paper_url == "https://example.org/p"
    merged = client.post(
        reverse("api:algorithm-merge", args=[other.pk]),
        {"into": algorithm.pk},
        content_type="application/json",
        **bearer,
    ).json()
    assert (merged["id"], merged["former_names"], merged["paper_url"]) == (algorithm.pk, ["Other"], other.paper_url)
    assert client.delete(address, **bearer).status_code == 204
    assert not Algorithm.objects.exists()


def test_merging_into_itself_or_another_collection_is_rejected(
    two: list[Submission], public_collection: Collection, owner: User
) -> None:
    other = hand_in(public_collection, submission_document(GOOD_ANSWER, "Lingo"), owner)[0].algorithm
    for into in (two[0].algorithm, other):
        with pytest.raises(Exception, match="another algorithm"):
            merge(two[0].algorithm, into)
    assert Algorithm.objects.count() == 2


def test_one_click_pins_a_submission_and_another_undoes_it(visit: Visit, two: list[Submission], reader: User) -> None:
    """Both the list and the submission's page have the button; files and the API follow immediately."""
    algorithm, maker = two[0].algorithm, visit(two[0].created_by)
    address, slug = reverse("algorithm-counts", args=[algorithm.pk]), algorithm.collection.slug

    def counting() -> list[int]:
        rows = visit(reader).get(f"/api/v1/collections/{slug}/scores?measure=qc4_f&page_size=100").json()["results"]
        assert {row["submission"] for row in rows} == {one.pk for one in two}
        counted = {row["submission"] for row in rows if row["counts"]}
        assert counted == {row["submission"] for row in exports.scores(algorithm.collection) if row["counts"]}
        return sorted(counted)

    assert counting() == [two[1].pk]
    page = text(maker, "algorithm", algorithm.pk)
    assert (page.count("Count this one<"), page.count("Keep counting it<")) == (1, 1)
    assert "Count this one<" not in text(visit(reader), "algorithm", algorithm.pk)
    assert "Keep counting it<" in text(maker, "submission", two[1].pk)
    pin = {"counts": "pinned", "pinned": f"{two[0].pk}"}
    assert "Count this one<" in text(maker, "submission", two[0].pk)
    answer = maker.post(address, {**pin, "back_to": f"{two[0].pk}"})
    assert answer.url == reverse("submission", args=[two[0].pk])
    assert "Undo the pin<" in text(maker, "submission", two[0].pk)
    page = text(maker, "algorithm", algorithm.pk)
    assert (page.count("Count this one<"), page.count("Undo the pin<")) == (1, 1)
    assert counting() == [two[0].pk]
    assert ">pinned</span>" in text(visit(reader), "leaderboard", slug)

    assert maker.post(address, {"counts": "latest"}).url == reverse("algorithm", args=[algorithm.pk])
    assert counting() == [two[1].pk]
    assert visit(reader).post(address, pin).status_code == 403


@pytest.mark.parametrize("back", ["0", "x", "²", "9" * 30, "https://example.org/", "999"])
def test_form_redirects_only_to_pages_of_this_site(visit: Visit, two: list[Submission], back: str) -> None:
    algorithm, client = two[0].algorithm, visit(two[0].created_by)
    answer = client.post(reverse("algorithm-counts", args=[algorithm.pk]), {"counts": "latest", "back_to": back})
    assert answer.url == reverse("algorithm", args=[algorithm.pk])


def test_algorithm_is_compared_with_the_leader_or_the_runner_up(
    visit: Visit, submit: Submit, submitter: User, finish: Callable[..., None]
) -> None:
    best, client = submit(submitter, "Best")[0], visit(submitter)
    finish()
    assert "Compare with the" not in text(client, "submission", best.pk), "there is nobody else"
    assert client.get(reverse("submission-compared", args=[best.pk])).url == reverse("submission", args=[best.pk])
    poor = submit(submitter, "Poor", POOR)[0]
    finish()
    for one, words in ((best, "the runner-up"), (poor, "the leader")):
        assert f"Compare with {words}<" in text(client, "submission", one.pk)
        assert f"Compare with {words}<" in text(client, "run", one.runs.get().pk)
        address = client.get(reverse("submission-compared", args=[one.pk])).url
        assert address.endswith(f"?algorithms={best.algorithm_id},{poor.algorithm_id}")


def test_submission_that_does_not_count_is_not_compared(
    visit: Visit, two: list[Submission], submit: Submit, submitter: User, finish: Callable[..., None]
) -> None:
    """The comparison would be with the submission that counts."""
    submit(submitter, "Poor", POOR)
    finish()
    client = visit(submitter)
    assert "It is not the effective submission on the leaderboard" in text(client, "submission", two[0].pk)
    assert "It is not the effective submission on the leaderboard" not in text(client, "submission", two[1].pk)
    found = ["Compare with the" in text(client, "submission", one.pk) for one in two]
    assert found == [False, True]
    assert "Compare with the" not in text(client, "run", two[0].runs.get().pk)
