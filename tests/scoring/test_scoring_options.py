"""Scoring with chosen options by page, API and command: nothing is scored twice, and options never mix."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from accounts.services import tokens
from annotations.models import Collection, GoldVersion
from evaluation.baseline_runs import services as baselines
from evaluation.gold.services import publish_and_reevaluate
from evaluation.limits import POLICY_SETS
from evaluation.models import Run, Submission
from evaluation.ranking.leaderboard import leaderboard
from evaluation.runs import services as runs
from evaluation.scoring import exports
from evaluation.scoring import services as scoring
from evaluation.scoring.options import BoardOptions
from evaluation.scoring.selectors import policies_for
from qc4.io import write_submission
from qc4.measures.registry import MOST_OTHERS
from qc4.model.policies import CHOICES, Policies
from tests.samples.documents import corrected_saturn, submission_document
from work.leases import State

Submit = Callable[..., tuple[Submission, Run | None]]
Finish = Callable[..., None]
Order = Callable[[Collection, User], object]

FIRST = Policies(overlap="first")
OVERLAPPING = {"saturn": (("p1", "p2"), ("p2", "p3", "p4"))}
"""If p2 counts only for its first cluster, the clusters are saturn's two topics."""


def by_page(collection: Collection, user: User) -> None:
    client = Client()
    client.force_login(user)
    told = client.post(f"/c/{collection.slug}/score/?measures=ari&overlap=first", {"overlap": "first"})
    assert told["Location"] == f"/c/{collection.slug}/leaderboard/?measures=ari&overlap=first"


def by_api(collection: Collection, user: User) -> None:
    _, secret = tokens.create(user, "a test")
    told = Client(headers={"Authorization": f"Bearer {secret}"}).post(
        f"/api/v1/collections/{collection.slug}/evaluations", {"overlap": "first"}, content_type="application/json"
    )
    assert told.status_code in {200, 202}, told.content
    assert (told.status_code == 202) == bool(told.json()["runs"])


def by_command(collection: Collection, user: User) -> None:
    call_command("score", collection.slug, "--overlap", "first", "--user", user.username)


ORDERS = pytest.mark.parametrize("order", [by_page, by_api, by_command])


def under(policies: Policies) -> list[tuple[str, dict[str, int]]]:
    """Return (algorithm, measures) of the evaluations with these options, in the order of submissions."""
    found = Run.objects.filter(kind=Run.Kind.EVALUATION, policies=policies.to_dict())
    return list(found.order_by("submission_id").values_list("submission__algorithm__name", "measures"))


@ORDERS
def test_page_api_and_command_queue_the_same_runs_once(
    order: Order, collection: Collection, owner: User, submit: Submit, finish: Finish
) -> None:
    submit(owner, "Older")
    submit(owner, "Older")
    submit(owner, "Lingo", OVERLAPPING, published=False)
    finish()
    (measures,) = {tuple(sorted(measures)) for _, measures in under(Policies())}
    order(collection, owner)
    assert [(name, tuple(sorted(keys))) for name, keys in under(FIRST)] == [("Older", measures), ("Lingo", measures)]
    order(collection, owner)
    finish()
    order(collection, owner)
    assert len(under(FIRST)) == 2


def test_private_submissions_of_other_people_are_not_scored(
    collection: Collection, owner: User, submitter: User, submit: Submit, finish: Finish
) -> None:
    submit(owner, "Hidden", published=False)
    submit(owner, "Shown")
    submit(submitter, "Mine", published=False)
    by_api(collection, submitter)
    assert [name for name, _ in under(FIRST)] == ["Shown", "Mine"]


def test_overlap_first_defines_scores_and_options_never_mix(
    collection: Collection, owner: User, submit: Submit, finish: Finish
) -> None:
    submit(owner, "STC", OVERLAPPING)
    submit(owner, "Partition", {"saturn": (("p1", "p3"), ("p2", "p4"))})
    finish()
    choice = BoardOptions(measures=("ari",), queries=("saturn",))
    assert [row.mean.reason[:9] for row in leaderboard(collection, owner, choice).rows if row.mean][-1] == "undefined"
    first = replace(choice, policies=FIRST)
    waiting = leaderboard(collection, owner, first).rows
    assert [row.run for row in waiting] == [None, None], "the scores under the default policies are not taken for these"
    assert {row.waiting for row in waiting} == {"not scored against gold v1 under these policies"}
    by_page(collection, owner)
    finish()
    rows = {row.algorithm.name: row.mean for row in leaderboard(collection, owner, first).rows}
    assert rows["STC"] is not None
    assert rows["STC"].value == 1
    assert [row.mean.value for row in leaderboard(collection, owner, choice).rows if row.mean][-1] is None


def test_flattened_scores_are_marked_everywhere(
    collection: Collection, owner: User, submit: Submit, finish: Finish
) -> None:
    submission, _ = submit(owner, "STC", OVERLAPPING)
    submit(owner, "Partition", {"saturn": (("p1", "p3"), ("p2", "p4"))})
    by_page(collection, owner)
    finish()
    client, choices = Client(), {"overlap": "first", "measures": "ari,qc4_f"}
    client.force_login(owner)
    board = client.get(f"/c/{collection.slug}/leaderboard.json", choices).json()
    found = {row["algorithm"]: [row["scores"][key]["flattened"] for key in ("ari", "qc4_f")] for row in board["rows"]}
    assert found == {"STC": [1, 0], "Partition": [0, 0]}, "QC4 reads overlap as it is"
    lines = csv.DictReader(client.get(f"/c/{collection.slug}/leaderboard.csv", choices).content.decode().splitlines())
    assert [line["ari[1] queries flattened"] for line in lines] == ["1", "0"]
    exported = {(row["algorithm"], row["measure"]) for row in exports.scores(collection) if row["flattened"]}
    assert ("STC", "ari") in exported
    assert {name for name, _ in exported} == {"STC"}
    rows = client.get(f"/api/v1/collections/{collection.slug}/scores", {"measure": "ari", "level": "1"}).json()[
        "results"
    ]
    flat = [(row["submission"], row["policies"]["overlap"]) for row in rows if row["flattened"]]
    assert flat == [(submission.pk, "first")]
    for page in (
        f"/submissions/{submission.pk}/",
        f"/c/{collection.slug}/q/saturn/",
        f"/c/{collection.slug}/leaderboard/",
    ):
        assert client.get(page, choices).content.decode().count('class="flattened"') == 1, page
        assert 'class="flattened"' not in client.get(page).content.decode()


def test_later_runs_include_the_measures_of_earlier_ones(scored: Submission, gold_version: GoldVersion) -> None:
    def measures_of(*keys: str) -> list[str]:
        done = scoring.score_submission(scored, gold_version, FIRST, user=None, measures=list(keys))
        return [key for run in done.queued for key in run.measures]

    assert measures_of("ari") == ["ari"]
    assert measures_of("purity") == ["ari", "purity"]
    assert measures_of("purity") == []


def test_only_the_latest_custom_measures_are_kept(scored: Submission, gold_version: GoldVersion) -> None:
    def measures_of(*keys: str) -> list[str]:
        done = scoring.score_submission(scored, gold_version, FIRST, user=None, measures=list(keys))
        return [key for run in done.queued for key in run.measures]

    first = [f"s_recall@{100 + k}" for k in range(MOST_OTHERS)]
    assert measures_of("ari", *first) == ["ari", *first]
    assert measures_of("pair_f(beta=3)", "s_recall@5") == ["ari", "s_recall_5", "pair_f(beta=3)", *first[:-1]]


def test_failed_run_can_be_requested_again(scored: Submission, gold_version: GoldVersion) -> None:
    def order() -> int:
        return len(scoring.score_submission(scored, gold_version, FIRST, user=None).queued)

    assert (order(), order()) == (1, 0)
    runs.cancel(Run.objects.get(state=State.QUEUED), None)
    assert order() == 1


def test_new_gold_versions_and_submissions_are_scored_with_all_options(
    scored: Submission, collection: Collection, owner: User, submit: Submit, finish: Finish
) -> None:
    by_api(collection, owner)
    finish()
    _, queued = publish_and_reevaluate(collection=collection, documents=[corrected_saturn()], user=owner)
    assert [Policies.parse(run.policies) for run in queued] == [Policies(), FIRST]
    submission, run = submit(owner, "Newcomer")
    assert run is not None
    assert Policies.parse(run.policies) == Policies(), "the one people wait for"
    assert [Policies.parse(one.policies) for one in submission.runs.order_by("pk")] == [Policies(), FIRST]
    finish()
    board = leaderboard(collection, owner, BoardOptions(policies=FIRST))
    assert [row.run is None for row in board.rows] == [False, False]


def test_options_of_private_submissions_do_not_affect_others(
    scored: Submission, collection: Collection, submitter: User, submit: Submit, gold_version: GoldVersion
) -> None:
    mine, _ = submit(submitter, "Mine", published=False)
    scoring.score_submission(mine, gold_version, FIRST, user=submitter)
    newcomer, _ = submit(submitter, "Newcomer")
    assert newcomer.runs.count() == 1


def test_number_of_automatic_option_sets_is_limited(scored: Submission, gold_version: GoldVersion) -> None:
    sets = [
        Policies(outliers, unclustered, "first")
        for outliers in CHOICES["outliers"]
        for unclustered in CHOICES["unclustered"]
    ]
    assert len(sets) > POLICY_SETS
    for policies in sets:
        scoring.score_submission(scored, gold_version, policies, user=None)
    found = policies_for(gold_version, {scored.algorithm_id})[scored.algorithm_id]
    assert found == (Policies(), *reversed(sets[-POLICY_SETS:])), "the default, then the latest"


def test_baselines_of_another_gold_version_are_omitted(
    collection: Collection, owner: User, finish: Finish, gold_version: GoldVersion
) -> None:
    finish(baselines.enqueue(collection=collection, keys=["gold", "singletons"], user=owner))
    finish()
    publish_and_reevaluate(collection=collection, documents=[corrected_saturn()], user=owner)
    finish()
    done = scoring.score_latest(gold_version, FIRST, user=owner)
    assert [run.submission.algorithm.baseline for run in done.queued if run.submission] == ["singletons"]


def test_leaderboard_shows_unscored_submissions_and_who_can_score_them(
    scored: Submission, collection: Collection, owner: User, reader: User
) -> None:
    address = f"/c/{collection.slug}/leaderboard/"
    pages = {}
    for user in (owner, reader):
        client = Client()
        client.force_login(user)
        pages[user] = client.get(address, {"overlap": "first"}).content.decode()
        assert "have no scores" not in client.get(address).content.decode()
        assert "1 submission has no scores against gold v1" in " ".join(pages[user].split())
        assert "overlap first" in pages[user]
    assert "Score all with these scoring options" in pages[owner]
    assert "Score all with these scoring options" not in pages[reader]


def test_submission_page_uses_the_options_in_its_url(
    collection: Collection, owner: User, submit: Submit, finish: Finish
) -> None:
    submission, _ = submit(owner, "STC", OVERLAPPING)
    finish()
    client, page = Client(), f"/submissions/{submission.pk}/"
    client.force_login(owner)
    assert "Score with these scoring options" in client.get(page, {"overlap": "first"}).content.decode()
    told = client.post(f"{page}score/", {"overlap": "first"})
    assert told["Location"] == f"{page}?overlap=first"
    finish()
    shown = client.get(page, {"overlap": "first", "measures": "ari"})
    assert [cell.value for _, _, cells in shown.context["scores"].lines for cell in cells][-1] == 1
    assert "Scored with:" in shown.content.decode()
    wrong = client.get(page, {"overlap": "last"})
    assert wrong.status_code == 400
    assert "one of refuse, first" in wrong.content.decode()


def sent_by_page(collection: Collection, user: User, path: Path) -> None:
    client, address = Client(), f"/c/{collection.slug}/submit/"
    client.force_login(user)
    assert 'name="overlap"' in client.get(address).content.decode()
    asked = {"file": SimpleUploadedFile("a.json", path.read_bytes()), "algorithm": "STC", "overlap": "first"}
    report = client.post(address, asked)
    assert "It is also scored with <b>overlap first</b>." in report.content.decode()
    client.post(f"{address}confirm/", {"ticket": report.context["ticket"]})


def sent_by_api(collection: Collection, user: User, path: Path) -> None:
    _, secret = tokens.create(user, "a test")
    told = Client(headers={"Authorization": f"Bearer {secret}"}).post(
        f"/api/v1/collections/{collection.slug}/submissions?algorithm=STC&overlap=first",
        path.read_bytes(),
        content_type="application/json",
    )
    assert told.status_code == 201, told.content


def sent_by_command(collection: Collection, user: User, path: Path) -> None:
    call_command(
        "submit", collection.slug, str(path), "--algorithm", "STC", "--overlap", "first", "--user", user.username
    )


@pytest.mark.parametrize("send", [sent_by_page, sent_by_api, sent_by_command])
@pytest.mark.usefixtures("gold_version")
def test_options_can_be_chosen_with_a_submission(
    send: Callable[[Collection, User, Path], None], collection: Collection, owner: User, tmp_path: Path
) -> None:
    path = tmp_path / "answers.json"
    path.write_bytes(write_submission(submission_document(OVERLAPPING, "STC")))
    send(collection, owner, path)
    assert [name for name, _ in under(Policies())] == ["STC"]
    assert [name for name, _ in under(FIRST)] == ["STC"]
    assert Run.objects.filter(kind=Run.Kind.EVALUATION).count() == 2


def test_comparison_pages_update_while_scores_are_computed(
    collection: Collection, owner: User, reader: User, submit: Submit, finish: Finish
) -> None:
    submit(owner, "STC", OVERLAPPING)
    submit(owner, "Private", OVERLAPPING, published=False)
    finish()
    by_api(collection, owner)
    client, other = Client(), Client()
    client.force_login(owner)
    other.force_login(reader)
    asked = []
    for page in ("leaderboard", "compare", "heat-map", "trade-off", "measures", "robustness", "topics"):
        html = " ".join(client.get(f"/c/{collection.slug}/{page}/", {"overlap": "first"}).content.decode().split())
        note = "2 submissions are being scored against gold v1 with overlap first. This page updates itself."
        assert note in html, page
        assert "htmx.min" in html, page
        asked += re.findall(r'hx-get="([^"]*/score/progress/[^"]*)"', html)
        assert 'id="being-scored"' not in client.get(f"/c/{collection.slug}/{page}/").content.decode(), page
    (progress,) = {unescape(one) for one in asked}
    assert "2 submissions are" in client.get(progress).content.decode()
    assert "1 submission is" in other.get(progress).content.decode()
    assert "HX-Refresh" not in client.get(progress)
    finish()
    assert client.get(progress)["HX-Refresh"] == "true"
    assert client.get(progress.replace("overlap=first", "overlap=last")).status_code == 400
