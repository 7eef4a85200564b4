"""More of everything in the world of the permission table, so that lists can be asked at several sizes.

Rows are copies of rows that are there: whatever a list may hold beside them (clusterings, scores, files, uses) is
copied along.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar
from uuid import uuid4

from django.db.models import Model
from django.utils import timezone

from accounts.audit import Kind, log
from accounts.models import User
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import (
    Collection,
    CommentThread,
    Draft,
    DraftLoss,
    DraftPublication,
    GoldVersion,
    Membership,
    OthersSeen,
    Query,
    Role,
    RoleOffer,
    Stream,
)
from evaluation.models import Algorithm, FormerName, Run, StreamSubmission, Submission, Upload
from evaluation.runs.execution import run_here
from evaluation.scoring import stored_columns as columns
from evaluation.stream_settings import StreamSettings
from tests.whole_site.test_permissions import World

Row = TypeVar("Row", bound=Model)


def grow(world: World, sizes: Iterable[int]) -> None:
    """One more row of every kind for each of these numbers."""
    for number in sizes:
        _another(world, number)
    _all_on_the_latest(world)
    _scored_anew(world)


def _scored_anew(world: World) -> None:
    """The first version has got more queries since its runs ended; a version never does."""
    for run in Run.objects.filter(kind=Run.Kind.EVALUATION, state=Run.State.DONE):
        columns.store(run, columns.collect(run))


def again(row: Row, **changes: Any) -> Row:
    """A copy of a row with these fields changed."""
    copy = type(row)._default_manager.get(pk=row.pk)
    copy.pk = None
    copy._state.adding = True
    for name, value in changes.items():
        setattr(copy, name, value)
    copy.save(force_insert=True)
    return copy


def _another(world: World, number: int) -> None:
    owner = User.objects.get(username="owner")
    person = User.objects.create(username=f"person-{number}")
    collection = world.collection
    for role in Role.values:
        Membership.objects.create(collection=collection, user=person, role=role)
    _links(world, person, number)
    mercury = collection.queries.get(key="mercury")
    again(mercury.pages.earliest("pk"), key=f"page-{number}", position=100 + number)
    query = _query(mercury, collection, f"q{number}", number)
    first = collection.gold_versions.get(number=1)
    first.entries.create(query=query, gold=query.golds.get())
    version = _version(first, collection, number + 1)
    _algorithms(world, version, person, number)
    _streams(world, person, number)
    _runs(world, owner, number)
    _curation(world, query, version, person, number)
    _neighbour(world, owner, number)
    answer = world.submissions["published"].clusterings.get(query=mercury)
    again(answer.file, clustering=again(answer, query=query))


def _links(world: World, person: User, number: int) -> None:
    """What lists of people, links, tokens and what happened hold, and another version of the guidelines."""
    token = User.objects.get(username="owner").api_tokens.get(pk=world.token)
    again(token, name=f"token {number}", sha256=f"{number:064}")
    for user in User.objects.exclude(pk=person.pk):
        log(Kind.ROLE_GIVEN, actor=person, account=user, collection=world.collection.pk, about=f"reader {number}")
    first = world.collection.invitations.get(pk=world.invitation[0])
    first.uses.create(user=person)
    offer = RoleOffer.objects.get(pk=world.offer)
    again(offer, user=person)
    elsewhere = again(world.collection, slug=f"offers-{number}", name=f"Offers {number}")
    for user in (offer.user, *User.objects.filter(username__in=("owner", "curator"))):
        again(offer, role=Role.values[number % 3 - 3], collection=elsewhere, user=user)
    again(first, note=f"person {number}", sha256=f"{number:064}").uses.create(user=person)
    asked = world.collection.participation_requests.get(pk=world.request)
    again(asked, user=person, message=f"please, {number}")
    State = type(asked).State
    again(asked, user=person, state=State.DECLINED, answered_at=timezone.now(), reason=f"no, {number}")
    again(world.collection.guidelines.get(number=1), number=number + 1, text=f"Decide alike, version {number}.")


def _query(query: Query, collection: Collection, key: str, position: int) -> Query:
    """Another query with its pages, gold standard and vectors."""
    copy = again(query, collection=collection, key=key, text=f"query {key}", position=position + 1)
    for page in query.pages.all():
        again(page, query=copy)
    for vectors in query.vector_sets.all():
        again(vectors.file, vectors=again(vectors, query=copy))
    gold = query.golds.get()
    again(gold.file, gold=again(gold, query=copy))
    return copy


def _version(version: GoldVersion, collection: Collection, number: int) -> GoldVersion:
    """Another version, with a gold standard for every query there is."""
    copy = again(version, collection=collection, number=number, note=f"version {number}")
    for query in collection.queries.all():
        copy.entries.create(query=query, gold=query.golds.get())
    return copy


def _algorithms(world: World, version: GoldVersion, person: User, number: int) -> None:
    """An algorithm and a baseline: scored against two versions, failed, waiting, private, swept."""
    done, first = world.runs["published"], world.submissions["published"]
    for name, baseline in ((f"Algorithm {number}", ""), (f"Baseline {number}", "singletons")):
        algorithm = again(first.algorithm, name=name, baseline=baseline)
        submission = _submission(first, first.collection, algorithm, created_by=person, seed=number)
        _evaluation(done, submission, done.gold_version)
        _evaluation(done, submission, version)
        error = {"code": "x", "sentence": "No.", "where": "", "fix": "", "problems": []}
        again(done, submission=submission, state=Run.State.FAILED, error=error)
        again(world.runs["private"], submission=submission)
        _submission(first, first.collection, algorithm, created_by=person, published=False)
        again(done.events.first(), run=done, why=f"remark {number}")
        again(done, submission=first, created_by=person)
        sweep = again(done, kind=Run.Kind.SWEEP, submission=None, gold_version=None, options={"seed": number})
        _submission(first, first.collection, algorithm, sweep=sweep, parameters={"k": number})
    _submission(first, first.collection, first.algorithm, created_by=person, repeat=f"seed {number}")
    FormerName.objects.create(collection=first.collection, algorithm=first.algorithm, name=f"An earlier name: {number}")


def _submission(first: Submission, collection: Collection, algorithm: Algorithm, **changes: Any) -> Submission:
    """A copy of a submission with its clusterings, of the queries of that collection that have the same key."""
    copy = again(first, collection=collection, algorithm=algorithm, **changes)
    again(first.report, submission=copy)
    for clustering in first.clusterings.filter(query__key__in=("mercury", "saturn")).select_related("query"):
        query = collection.queries.get(key=clustering.query.key)
        again(clustering.file, clustering=again(clustering, submission=copy, query=query))
    return copy


def _evaluation(done: Run, submission: Submission, version: GoldVersion | None) -> None:
    """A copy of a finished run; equal content has equal scores."""
    run = again(done, collection=submission.collection, submission=submission, gold_version=version)
    for row in done.queries.select_related("query"):
        again(row, run=run, query=submission.collection.queries.get(key=row.query.key))
    columns.store(run, columns.collect(run))


def _all_on_the_latest(world: World) -> None:
    """Whoever has answered is scored against the latest version, so that boards rank as many as they list."""
    latest = world.collection.gold_versions.latest("number")
    waiting = Submission.objects.filter(collection=world.collection, published=True, sweep=None)
    for submission in waiting.exclude(runs__gold_version=latest, runs__state=Run.State.DONE):
        _evaluation(world.runs["published"], submission, latest)


def _streams(world: World, person: User, number: int) -> None:
    """A stream with a submission, and another submission of the first stream, measured with two choices of settings."""
    pushed = world.stream_submissions["published"]
    if not pushed.results.exists():
        run_here(pushed.runs.get())
    stream = again(pushed.stream, key=f"stream-{number}", text=f"stream {number}", position=number)
    again(pushed.stream.file, stream=stream)
    algorithm = again(pushed.algorithm, name=f"Stream algorithm {number}")
    for on, published in ((stream, True), (pushed.stream, True), (pushed.stream, False)):
        _pushed(pushed, on, algorithm, created_by=person, published=published)
    settings = StreamSettings.of(last=number)
    facts = {"settings": settings.to_dict(), "settings_sha256": settings.sha256}
    result = pushed.results.create(**facts, engine="1", medians={"cmm": 1.0})
    result.moments.create(number=0, time=6.0, points=7, values={"cmm": 1.0})


def _pushed(first: StreamSubmission, stream: Stream, algorithm: Algorithm, **changes: Any) -> None:
    copy = again(first, stream=stream, algorithm=algorithm, **changes)
    again(first.file, submission=copy)
    result = first.results.earliest("pk")
    measured = again(result, submission=copy)
    for moment in result.moments.all():
        again(moment, result=measured)
    for state in (Run.State.DONE, Run.State.QUEUED):
        run = first.runs.earliest("pk")
        again(run, stream=stream, stream_submission=copy, state=state, finished_at=_end(state), lease_until=None)


def _runs(world: World, owner: User, number: int) -> None:
    """Runs of the other kinds: with a collection and without, with a file and without."""
    upload = Upload.objects.create(sha256=f"{number:064}", name=f"file-{number}.json", size=number, uploaded_by=owner)
    waiting = world.runs["private"]
    stream = world.stream_submissions["published"].stream
    facts = {"submission": None, "gold_version": None, "created_by": owner}
    again(waiting, kind=Run.Kind.IMPORT, collection=None, upload=upload, **facts)
    again(waiting, kind=Run.Kind.VECTORS, upload=upload, **facts)
    again(waiting, kind=Run.Kind.BASELINES, options={"keys": ["singletons"], "seed": number}, **facts)
    again(waiting, kind=Run.Kind.STREAM_BASELINES, stream=stream, options={"keys": [], "seed": number}, **facts)
    again(waiting, created_by=owner, rerun_of=world.runs["published"])


def _curation(world: World, query: Query, version: GoldVersion, person: User, number: int) -> None:
    """Drafts of every kind of one query, a draft of another one, what happened in a draft, who works on what."""
    others = world.collection.queries.exclude(pk=query.pk).filter(key__in=("mercury", "saturn"))
    own, shared, judged = (Draft.objects.get(pk=world.drafts[which]) for which in ("own", "shared", "adjudication"))
    for of in (*others, query):
        of.assignments.create(curator=person, due=timezone.localdate())
        _draft(own, query=of, curator=person, name=f"open {number}")
        submitted = _draft(own, query=of, curator=person, name=f"submitted {number}", **_submitted())
        _draft(shared, query=of, name=f"shared {number}", **_submitted())
        _draft(shared, query=of, name=f"away {number}", archived_at=timezone.now())
        copy = again(judged.adjudication, draft=_draft(judged, query=of, name=f"judged {number}"))
        for compared in judged.adjudication.compared.all():
            again(compared, adjudication=copy)
        DraftPublication.objects.create(draft=submitted, revision=0, version=version, gold=of.golds.get())
        OthersSeen.objects.create(query=of, user=person, what=OthersSeen.What.DRAFT, draft=own, seen_at=own.created_at)
    shared.presences.create(user=person, seen_at=timezone.now())
    _talk(shared, judged, person, number)
    topic = {"kind": "add_topic", "topic": f"t{number}", "name": f"Topic {number}", "pages": ["p1"]}
    perform(shared, person, DraftRequest(uuid4(), shared.revision, [topic]))
    lost = {"topic": f"lost{number}", "name": f"Lost {number}", "pages": ["p1"]}
    for user in User.objects.all():
        DraftLoss.objects.create(draft=shared, user=user, revision=shared.revision, **lost)


def _talk(shared: Draft, judged: Draft, person: User, number: int) -> None:
    """Threads of comments that everybody takes part in, and one more comment in those that are there."""
    owner, curator = (User.objects.get(username=name) for name in ("owner", "curator"))
    for draft, key in ((shared, "p1"), (shared, f"gone-{number}"), (judged, "p1")):
        thread = draft.threads.create(about="page", key=key, title=f"Page {number}", changed=number, spoken=number)
        for user in (owner, curator, person):
            thread.comments.create(op_id=uuid4(), user=user, text=f"@owner, @curator: {number}").named.add(owner)
            thread.readers.create(user=user, concerned=True)
    for thread in CommentThread.objects.filter(draft=shared, key="p1"):
        thread.comments.create(op_id=uuid4(), user=person, text=f"And another thing: {number}").named.add(curator)


def _submitted() -> dict[str, Any]:
    return {"status": Draft.Status.SUBMITTED, "submitted_at": timezone.now()}


def _draft(draft: Draft, **changes: Any) -> Draft:
    """A copy of a draft as it started."""
    snapshot = draft.snapshots.get(revision=0)
    copy = again(draft, revision=0, head=uuid4(), **changes)
    again(snapshot, draft=copy)
    return copy


def _neighbour(world: World, owner: User, number: int) -> None:
    """Other collections: one everybody sees, with a leader and work that waits, and a private one that is empty."""
    first = world.collection
    other = again(first, slug=f"other-{number}", name=f"Other {number}", visibility=Collection.Visibility.PUBLIC)
    empty = again(first, slug=f"empty-{number}", name=f"Empty {number}")
    asked = first.participation_requests.get(pk=world.request)
    for user in (owner, User.objects.get(username="curator")):
        again(asked, collection=other, user=user)
    for collection in (other, empty):
        Membership.objects.create(collection=collection, user=owner, role=Role.OWNER)
    for position, key in enumerate(("mercury", "saturn")):
        _query(first.queries.get(key=key), other, key, position)
    version = _version(first.gold_versions.get(number=1), other, 1)
    done, submission = world.runs["published"], world.submissions["published"]
    for name in ("Lingo", "Another"):
        algorithm = again(submission.algorithm, collection=other, name=name)
        _evaluation(done, _submission(submission, other, algorithm), version)
    again(world.runs["private"], collection=other, submission=None, gold_version=None, kind=Run.Kind.BASELINES)


def _end(state: str) -> Any:
    return timezone.now() if state in Run.ENDED else None
