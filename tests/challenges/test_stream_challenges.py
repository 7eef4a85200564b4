"""Streams in challenges: the same times and limits apply, and hidden streams reveal nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.models import User
from annotations.collections import streams as stored
from annotations.models import Challenge, Collection, Stream
from evaluation.challenges import services as challenges
from evaluation.challenges.selectors import rules
from evaluation.deletion.services import delete_submission
from evaluation.models import CountedSubmission, Run, StreamSubmission, Submission
from evaluation.streams import services as streams
from evaluation.submissions.services import Provenance, publish
from qc4.problems import InputError
from tests.fixtures.api import error
from tests.samples import streams as samples
from tests.samples.documents import GOOD_ANSWER, submission_document
from tests.samples.submissions import hand_in

HOUR = timedelta(hours=1)
SETTINGS = {"horizon": "last", "last": "7", "k": "2", "tau": "0.5"}


@pytest.fixture
def stream(collection: Collection, owner: User) -> Stream:
    return stored.add_stream(collection, stored.read_stream_file(samples.STREAM, "mercury.csv"), owner)


def challenge_in(collection: Collection, **facts: object) -> Challenge:
    """Make a challenge that hides all gold standards and leaves streams open, except for these settings."""
    return challenges.save(
        collection, user=None, **{"hides": Challenge.Hides.ALL, "streams_shown": True, "reveals": False, **facts}
    )


def push(stream: Stream, user: User, algorithm: str = "DenStream", *, published: bool = True) -> StreamSubmission:
    document, found = streams.check(stream, samples.clusterings(samples.GOLD, algorithm), "f.json", "", user)
    return streams.submit(stream, document, found, Provenance(user, "command", published=published))[0]


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def by_page(client: Client, stream: Stream) -> HttpResponse:
    file = SimpleUploadedFile("mine.json", samples.clusterings(samples.GOLD, "Mine"))
    address = f"/c/{stream.collection.slug}/streams/{stream.key}/submit/"
    return client.post(address, {"file": file, **SETTINGS}, follow=True)


def by_api(client: Client, stream: Stream) -> HttpResponse:
    address = f"/api/v1/collections/{stream.collection.slug}/streams/{stream.key}/submissions"
    content = samples.clusterings(samples.GOLD, "Mine")
    return client.post(address, content, content_type="application/json")


def test_queries_and_streams_count_together(collection: Collection, submitter: User, stream: Stream) -> None:
    """Submissions by page, API and command count together, and deleted ones still count."""
    challenge_in(collection, per_day=2)
    delete_submission(push(stream, submitter))
    hand_in(collection, submission_document(GOOD_ANSWER, "Lingo"), submitter, measures=["aq"])
    with pytest.raises(InputError, match=r"2 submissions by you today.*at most 2 a day"):
        push(stream, submitter)
    with pytest.raises(InputError, match="at most 2 a day"):
        hand_in(collection, submission_document(GOOD_ANSWER, "Lingo"), submitter, measures=["aq"])
    client = signed_in(submitter)
    page, answer = by_page(client, stream), by_api(client, stream)
    assert (page.status_code, answer.status_code) == (400, 400)
    assert "at most 2 a day per person" in page.content.decode()
    assert error(answer, 400)["problems"][0]["code"] == "challenge-limit"
    assert (StreamSubmission.objects.count(), CountedSubmission.objects.count()) == (0, 2)


def test_limits_apply_to_the_command(collection: Collection, submitter: User, stream: Stream, tmp_path: Path) -> None:
    challenge_in(collection, in_all=1)
    push(stream, submitter)
    file = tmp_path / "mine.json"
    file.write_bytes(samples.clusterings(samples.GOLD, "Mine"))
    with pytest.raises(CommandError, match="at most 1 per person"):
        call_command("submit_stream", collection.slug, stream.key, file, user="submitter")
    assert StreamSubmission.objects.count() == 1


def test_early_and_late_stream_submissions_are_rejected(
    collection: Collection, submitter: User, owner: User, stream: Stream
) -> None:
    opens = timezone.now() + HOUR
    challenge_in(collection, opens_at=opens, closes_at=opens + HOUR)
    with pytest.raises(InputError, match="before the challenge opens on"):
        push(stream, submitter)
    Challenge.objects.update(opens_at=opens - 2 * HOUR, closes_at=opens - HOUR)
    with pytest.raises(InputError, match="after the challenge closed on"):
        push(stream, submitter)
    assert (
        "Challenge closed" in signed_in(submitter).get(f"/c/{collection.slug}/streams/{stream.key}/").content.decode()
    )
    push(stream, owner, "Organiser's")
    assert [one.algorithm.name for one in StreamSubmission.objects.all()] == ["Organiser's"]


def test_rejected_submissions_do_not_count(collection: Collection, submitter: User, stream: Stream) -> None:
    challenge_in(collection, in_all=1)
    for wrong in ([], [{"time": 6, "clusters": [{"id": "a", "points": [99]}]}]):
        with pytest.raises(InputError):
            streams.check(stream, samples.clusterings(wrong), "f.json", "", submitter)
    push(stream, submitter)


ADDRESSES = (
    "/c/{slug}/streams/mercury/",
    "/c/{slug}/streams/mercury/series.csv",
    "/c/{slug}/streams/mercury/series.json",
    "/c/{slug}/streams/mercury/download/",
    "/c/{slug}/streams/mercury/submit/",
    "/api/v1/collections/{slug}/streams/mercury",
    "/api/v1/collections/{slug}/streams/mercury/series",
    "/api/v1/collections/{slug}/streams/mercury/submissions",
)


def test_hidden_streams_are_hidden_everywhere_with_a_reason(
    collection: Collection,
    submitter: User,
    curator: User,
    stream: Stream,
    finish: Callable[..., None],
) -> None:
    """People's own results are hidden too, because they are computed from the true classes."""
    mine, others = push(stream, submitter), push(stream, curator, "Other")
    finish()
    challenge_in(collection, streams_shown=False)
    client, slug = signed_in(submitter), collection.slug
    found = {address: client.get(address.format(slug=slug)) for address in ADDRESSES}
    assert {answer.status_code for answer in found.values()} == {403}
    assert all("the final results use these" in answer.content.decode() for answer in found.values())
    assert "the final results use only these" in client.get(f"/c/{slug}/streams/").content.decode()
    assert client.get(f"/api/v1/collections/{slug}/streams").json()["results"] == []
    for one in (mine, others):
        for address in (f"/stream-submissions/{one.pk}/", f"/api/v1/stream-submissions/{one.pk}"):
            assert client.get(address).status_code == 404
        run = Run.objects.get(stream_submission=one)
        assert client.get(f"/runs/{run.pk}/").status_code == 404
    assert (by_page(client, stream).status_code, by_api(client, stream).status_code) == (403, 403)
    assert signed_in(curator).get(found_at := ADDRESSES[0].format(slug=slug)).status_code == 200, found_at


def test_hidden_leaderboard_also_hides_stream_submissions_of_others(
    collection: Collection, submitter: User, owner: User, stream: Stream, finish: Callable[..., None]
) -> None:
    push(stream, submitter, "Mine")
    theirs = push(stream, owner, "Theirs")
    finish()
    challenge_in(collection, board_hidden=True)
    client, slug = signed_in(submitter), collection.slug
    readable = [one for one in ADDRESSES if "download" not in one and not one.endswith("submit/")]
    texts = [client.get(address.format(slug=slug)).content.decode() for address in readable]
    assert [address for address, text in zip(readable, texts, strict=True) if "Theirs" in text] == []
    assert "Mine" in texts[0]
    assert "final results use only its queries" in texts[0]
    assert client.get(f"/stream-submissions/{theirs.pk}/").status_code == 404


def test_only_organisers_run_stream_baselines(collection: Collection, submitter: User, stream: Stream) -> None:
    challenge_in(collection)
    client, slug = signed_in(submitter), collection.slug
    assert "Run baselines" not in client.get(f"/c/{slug}/streams/mercury/").content.decode()
    form = {f"baselines-{name}": value for name, value in {**SETTINGS, "seed": "0"}.items()}
    assert client.post(f"/c/{slug}/streams/mercury/baselines/", form).status_code == 403
    answer = client.post(f"/api/v1/collections/{slug}/streams/mercury/baselines", {}, content_type="application/json")
    assert answer.status_code == 403
    assert not Run.objects.filter(kind=Run.Kind.STREAM_BASELINES).exists()


def test_stream_submissions_do_not_wait_for_final_results(
    collection: Collection, submitter: User, stream: Stream
) -> None:
    """A run of queries is still waiting, but submissions to streams can be deleted."""
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    to_queries: Submission = hand_in(collection, submission_document(GOOD_ANSWER, "Lingo"), submitter)[0]
    of_stream = push(stream, submitter)
    Challenge.objects.update(closes_at=timezone.now())
    publish(of_stream, published=False)
    delete_submission(of_stream)
    with pytest.raises(InputError, match="final results wait for 1 run"):
        delete_submission(to_queries)


def test_rules_mention_streams_if_there_are_any(collection: Collection, owner: User) -> None:
    def sentences(**facts: object) -> str:
        return " ".join(rules(challenge_in(collection, **facts), 2, 2))

    assert "stream" not in sentences() + sentences(streams_shown=False)
    stored.add_stream(collection, stored.read_stream_file(samples.STREAM, "mercury.csv"), owner)
    assert "limits apply to clusterings of its streams" in sentences()
    assert "Its streams are hidden and stay hidden" in sentences(streams_shown=False)
    assert "Its streams are hidden until the challenge has closed" in sentences(streams_shown=False, reveals=True)
    assert "limits apply to clusterings of its streams" in sentences(streams_shown=False, hides=Challenge.Hides.NOTHING)
