"""The page of a run: progress, reasons for waiting and failing, cancel and repeat."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape

import pytest
from django.db.models.functions import Now
from django.urls import reverse

from accounts.models import User
from accounts.services.administration import appoint
from annotations.models import Collection
from evaluation.models import Run, Submission
from evaluation.runs.execution import run_here
from tests.fixtures.pages import Visit

Submit = Callable[..., tuple[Submission, Run]]


def test_waiting_run_shows_its_place_and_missing_workers(visit: Visit, owner: User, submit: Submit) -> None:
    _, first = submit(owner, "One")
    _, second = submit(owner, "Two")
    page = visit(owner).get(reverse("run", args=[second.pk])).content.decode()
    assert "Place 2 in the queue" in page
    assert "No worker is alive." in page
    assert f'hx-get="{reverse("run-live", args=[second.pk])}?known=1"' in page
    assert "Next in the queue" in visit(owner).get(reverse("run", args=[first.pk])).content.decode()


def test_live_part_stops_polling_when_the_run_has_ended(
    visit: Visit, owner: User, submit: Submit, finish: Callable[..., None]
) -> None:
    _, run = submit(owner)
    address = reverse("run-live", args=[run.pk])
    assert visit(owner).get(address).status_code == 200
    finish(run)
    ended = visit(owner).get(address)
    assert ended.status_code == 286
    assert "hx-get" not in ended.content.decode()
    assert "See the scores" in ended.content.decode()


def test_log_is_sent_again_only_if_it_has_new_entries(visit: Visit, owner: User, submit: Submit) -> None:
    _, run = submit(owner)
    address = reverse("run-live", args=[run.pk])
    assert 'id="log"' in visit(owner).get(address, {"known": "0"}).content.decode()
    assert 'id="log"' not in visit(owner).get(address, {"known": str(run.events.count())}).content.decode()


def test_provenance_lists_the_input_of_a_run(
    visit: Visit, owner: User, submit: Submit, finish: Callable[..., None]
) -> None:
    submission, run = submit(owner)
    finish(run)
    page = visit(owner).get(reverse("run", args=[run.pk])).content.decode()
    for words in (submission.sha256[:16], run.gold_version.sha256[:16], run.engine, "singletons"):
        assert words in page


@pytest.mark.parametrize("published", [True, False])
def test_shown_command_repeats_the_run(
    visit: Visit, owner: User, submit: Submit, collection: Collection, published: bool
) -> None:
    submission, run = submit(owner, "Two words")
    Submission.objects.filter(pk=submission.pk).update(published=published)
    page = unescape(visit(owner).get(reverse("run", args=[run.pk])).content.decode())
    file = f"submission-{submission.pk}.jsonl"
    command = f".venv/bin/python manage.py submit {collection.slug} {file} --algorithm 'Two words'"
    assert command + (" --publish" if published else "") + " --user owner\n" in page


def test_failed_run_shows_its_whole_error(visit: Visit, owner: User, submit: Submit) -> None:
    _, run = submit(owner)
    problem = {
        "code": "x",
        "severity": "error",
        "where": "line 7",
        "found": "a bean",
        "expected": "a pea",
        "fix": "Swap.",
    }
    error = {"code": "x", "sentence": "It is a bean.", "where": "line 7", "fix": "Use peas.", "problems": [problem]}
    Run.objects.filter(pk=run.pk).update(state="failed", error=error, finished_at=Now())
    page = visit(owner).get(reverse("run", args=[run.pk])).content.decode()
    for words in ("It is a bean.", "Use peas.", "line 7", "a pea", "Swap."):
        assert words in page


def test_cancel_and_repeat(visit: Visit, owner: User, submit: Submit) -> None:
    _, run = submit(owner)
    visit(owner).post(reverse("run-cancel", args=[run.pk]))
    run.refresh_from_db()
    assert run.state == "cancelled"
    answer = visit(owner).post(reverse("run-rerun", args=[run.pk]))
    again = Run.objects.get(rerun_of=run)
    assert answer.headers["Location"] == reverse("run", args=[again.pk])


@pytest.mark.parametrize("action", ["run-cancel", "run-rerun"])
def test_only_people_with_the_right_can_cancel_or_repeat(
    visit: Visit, owner: User, reader: User, outsider: User, submit: Submit, action: str
) -> None:
    _, run = submit(owner)
    address = reverse(action, args=[run.pk])
    assert visit(reader).post(address).status_code == 403
    assert visit(outsider).post(address).status_code == 404
    assert visit(None).post(address).status_code == 302
    assert visit(owner).get(address).status_code == 405
    run.refresh_from_db()
    assert run.state == "queued"


def test_list_contains_only_your_runs(visit: Visit, owner: User, submitter: User, submit: Submit) -> None:
    _, run = submit(owner)
    link = reverse("run", args=[run.pk])
    assert link in visit(owner).get(reverse("runs")).content.decode()
    assert link not in visit(submitter).get(reverse("runs")).content.decode()


def test_baselines_button_starts_a_run(visit: Visit, submitter: User, reader: User, scored: Submission) -> None:
    address = reverse("baselines", args=[scored.collection.slug])
    answer = visit(submitter).post(address, {"only": ["singletons", "one_cluster"], "seed": "3"})
    run = Run.objects.get(kind="baselines")
    assert answer.headers["Location"] == reverse("run", args=[run.pk])
    assert run.options["seed"] == 3
    assert visit(reader).post(address, {"seed": "3"}).status_code == 403
    assert visit(submitter).post(address, {"seed": "many"}).headers["Location"] != answer.headers["Location"]


def test_too_many_runs_give_a_page_with_the_time_to_try_again(
    visit: Visit, submitter: User, scored: Submission, settings: object
) -> None:
    settings.JOB_LIMIT_PER_USER = 0
    answer = visit(submitter).post(reverse("baselines", args=[scored.collection.slug]), {"seed": "3"})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert "limit" in answer.content.decode()
    assert "number 1 in its queue" in answer.content.decode()


def test_person_who_lost_the_right_to_submit_cannot_repeat_runs(visit: Visit, submitter: User, submit: Submit) -> None:
    submission, run = submit(submitter)
    run_here(run)
    submission.collection.memberships.filter(user=submitter).update(role="reader")
    assert visit(submitter).get(reverse("run", args=[run.pk])).status_code == 200
    assert visit(submitter).post(reverse("run-rerun", args=[run.pk])).status_code == 403
    assert Run.objects.count() == 1


MACHINE = "node-7.example:4242"


def test_only_operators_see_commands_and_names_of_machines(
    visit: Visit, owner: User, reader: User, curator: User, submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Visitors of a run's page cannot use a shell command, and learn nothing about the site's machines."""
    monkeypatch.setattr("evaluation.runs.execution.worker_name", lambda: MACHINE)
    _, run = submit(owner, "One")
    run_here(run)
    _, waiting = submit(owner, "Two")
    appoint(curator)
    pages = {
        user: "".join(
            visit(user).get(reverse(name, args=[one.pk])).content.decode()
            for one in (run, waiting)
            for name in ("run", "run-live", "api:run", "api:run-events")
        )
        for user in (owner, reader, User.objects.get(pk=curator.pk))
    }
    of_owner, of_reader, of_operator = pages.values()
    assert [MACHINE in page for page in pages.values()] == [False, False, True]
    assert ["The same on the command line" in page for page in pages.values()] == [True, False, True]
    assert ["manage.py" in page for page in (of_reader, of_operator)] == [False, True]
    assert "manage.py work" not in of_owner
    assert "a worker" in of_reader
