"""A person's submissions in one list, deleting several at once, and a submission's scores as a wide table."""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services import tokens
from annotations.models import Collection
from annotations.templatetags.site import score
from evaluation.algorithms.services import set_rule
from evaluation.models import Algorithm, Run, StreamSubmission, Submission
from evaluation.submissions import selectors as own_submissions
from manage import CLOSED_PIPE
from tests.fixtures.pages import Visit
from tests.samples.documents import GOOD_ANSWER

Submit = Callable[..., tuple[Submission, Run]]
DELETE = "/submissions/delete/"


def chosen(*submissions: Submission) -> dict[str, object]:
    return {"one": [f"{one.pk}" for one in submissions]}


@pytest.fixture
def mine(submit: Submit, submitter: User) -> list[Submission]:
    return [submit(submitter, name)[0] for name in ("First", "First", "Second")]


def test_list_shows_own_submissions_and_owners_see_all_of_their_collection(
    visit: Visit, mine: list[Submission], submit: Submit, owner: User, submitter: User, collection: Collection
) -> None:
    submit(owner, "Theirs")
    page = visit(submitter).get(reverse("my-submissions")).content.decode()
    assert page.count('name="one"') == 3
    assert "Theirs" not in page
    page = visit(owner).get(reverse("my-submissions"), {"collection": collection.slug}).content.decode()
    assert page.count('name="one"') == 4
    page = visit(owner).get(reverse("my-submissions"), {"collection": collection.slug, "q": "sec"}).content.decode()
    assert page.count('name="one"') == 1


def test_deletion_is_confirmed_before_it_happens(visit: Visit, mine: list[Submission], submitter: User) -> None:
    client = visit(submitter)
    told = client.post(DELETE, chosen(mine[0], mine[2])).content.decode()
    assert "Delete 2 submissions?" in told
    assert "No submission remains of" in told
    assert Submission.objects.count() == 3
    client.post(DELETE, chosen(mine[0], mine[2]) | {"sure": "1"})
    assert list(Submission.objects.all()) == [mine[1]]
    assert list(Algorithm.objects.values_list("name", flat=True)) == ["First"]


def test_deleting_a_pinned_submission_makes_the_latest_effective(
    visit: Visit, mine: list[Submission], submitter: User
) -> None:
    set_rule(mine[0].algorithm, "pinned", pinned=mine[0])
    told = visit(submitter).post(DELETE, chosen(mine[0])).content.decode()
    assert "The pinned submission is deleted" in told
    visit(submitter).post(DELETE, chosen(mine[0]) | {"sure": "1"})
    assert Algorithm.objects.get(name="First").counts == "latest"


def test_submission_being_scored_is_not_deleted(visit: Visit, mine: list[Submission], submitter: User) -> None:
    run = mine[0].runs.get()
    Run.objects.filter(pk=run.pk).update(state="running", lease_until="2100-01-01T00:00Z")
    told = visit(submitter).post(DELETE, chosen(*mine)).content.decode()
    assert f"run {run.pk} is working on it" in told
    visit(submitter).post(DELETE, chosen(*mine) | {"sure": "1"})
    assert list(Submission.objects.all()) == [mine[0]]
    single = visit(submitter).post(reverse("submission-delete", args=[mine[0].pk]), follow=True).content.decode()
    assert "working on it" in single
    bearer = {"HTTP_AUTHORIZATION": f"Bearer {tokens.create(submitter, 'x')[1]}"}
    assert visit(None).delete(reverse("api:submission", args=[mine[0].pk]), **bearer).status_code == 400
    assert Submission.objects.filter(pk=mine[0].pk).exists()


def test_other_peoples_submissions_and_invalid_names_are_ignored(
    visit: Visit, mine: list[Submission], submit: Submit, owner: User, submitter: User, reader: User
) -> None:
    theirs, _ = submit(owner, "Theirs")
    sent = {"one": [f"{theirs.pk}", "x", "s", "-1", "9" * 30, f"s{theirs.pk}"], "sure": "1"}
    answer = visit(submitter).post(DELETE, sent, follow=True).content.decode()
    assert "No existing submission is selected" in answer
    visit(reader).post(DELETE, chosen(*mine) | {"sure": "1"})
    assert Submission.objects.count() == 4


def test_all_matching_submissions_on_all_pages_are_deleted(
    visit: Visit, mine: list[Submission], submitter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_submissions, "PER_PAGE", 1)
    client = visit(submitter)
    page = client.get(reverse("my-submissions"), {"q": "first"}).content.decode()
    assert "Delete all 2 that" in page
    later = re.search(r'href="(\?page=[^"]+&amp;q=first)"\s+rel="next"', page)
    assert later is not None
    last = client.get(reverse("my-submissions") + later[1].replace("&amp;", "&")).content.decode()
    assert [f"#{one.pk}<" in last for one in mine[:2]] != [f"#{one.pk}<" in page for one in mine[:2]]
    told = client.post(DELETE, {"q": "first", "all": "1"})
    sure = {"one": told.context["names"], "q": "first", "sure": "1"}
    client.post(DELETE, sure)
    assert list(Submission.objects.all()) == [mine[2]]


def test_deletion_is_all_or_nothing(
    visit: Visit, mine: list[Submission], submitter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("in the middle")

    monkeypatch.setattr("evaluation.deletion.services._delete_if_empty", fail)
    with pytest.raises(RuntimeError):
        visit(submitter).post(DELETE, chosen(*mine) | {"sure": "1"})
    assert Submission.objects.count() == 3


def test_collection_page_has_check_boxes_for_deletable_submissions(
    visit: Visit, mine: list[Submission], submit: Submit, owner: User, submitter: User, reader: User
) -> None:
    submit(owner, "Theirs")
    address = reverse("collection", args=[mine[0].collection.slug])
    ticks = [visit(who).get(address).content.decode().count('name="one"') for who in (owner, submitter, reader)]
    assert ticks == [4, 3, 0]


def test_list_includes_stream_submissions(visit: Visit, submitter: User) -> None:
    assert visit(submitter).get(reverse("my-submissions")).status_code == 200
    assert not StreamSubmission.objects.exists()


def test_wide_table_matches_the_page(visit: Visit, scored: Submission, owner: User) -> None:
    client = visit(owner)
    page = client.get(reverse("submission", args=[scored.pk]))
    answer = client.get(reverse("submission-scores-csv", args=[scored.pk]))
    rows = list(csv.reader(io.StringIO(b"".join(answer.streaming_content).decode())))
    assert [row[0] for row in rows] == ["query", "mercury", "saturn car"]
    assert len(set(rows[0])) == len(rows[0])
    board = client.get(reverse("leaderboard-json", args=[scored.collection.slug])).json()
    value = next(row for row in board["rows"] if row["submission"] == scored.pk)["scores"]["qc4_f"]["value"]
    means = client.get(reverse("submission-scores-csv", args=[scored.pk]), {"table": "means"})
    lines = csv.DictReader(io.StringIO(b"".join(means.streaming_content).decode()))
    mean = next(line["mean"] for line in lines if line["measure"] == "qc4_f")
    assert score(float(mean)) == score(value)
    assert f'<td class="num">{score(value)}</td>' in page.content.decode()
    families = page.context["families"]
    assert sum(len(lines) for _, lines in families) == len(rows[0]) - 1
    bearer = {"HTTP_AUTHORIZATION": f"Bearer {tokens.create(owner, 'x')[1]}"}
    same = Client().get(reverse("api:submission-scores", args=[scored.pk]), **bearer)
    assert list(csv.reader(io.StringIO(b"".join(same.streaming_content).decode()))) == rows


@pytest.mark.parametrize("arguments", [("help", "--commands"), ("submit", "--help"), ("diffsettings",)])
def test_command_ends_quietly_if_its_output_pipe_closes(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """As in ``manage.py ... | head -1``, where the pipe is closed before the command writes."""
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as output:
        ended = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=settings.BASE_DIR, stdout=output, stderr=subprocess.PIPE,
            env={"PATH": "/usr/bin:/bin", "DEBUG": "1", "QC4_DATA_DIR": str(tmp_path)},
        )  # fmt: skip
    assert ended.stderr == b""
    # The option parser drops its own output.
    assert ended.returncode == (0 if "--help" in arguments else CLOSED_PIPE)


def test_scores_csv_of_an_unscored_submission_returns_400(visit: Visit, submit: Submit, owner: User) -> None:
    waiting, _ = submit(owner, answers=GOOD_ANSWER)
    answer = visit(owner).get(reverse("submission-scores-csv", args=[waiting.pk]))
    assert answer.status_code == 400
    assert "scored with these scoring options" in answer.content.decode()
