"""The data of `bench.scale`: a collection of 200 algorithms x 500 queries x 40 measures, with everything around it.

There are four million scores, a hundred thousand clusterings, gold versions, the work of many people, and 49 other
collections. Rows are inserted in bulk. The database itself generates the scores.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from uuid import uuid4

from bench.board import ALGORITHMS, QUERIES, fill, measure_keys

VERSIONS, PAGES, MEMBERS, CURATORS = 100, 50, 500, 10
SUBMISSIONS, RUNS = 5, 4
"""Number of submissions per algorithm, and of runs per submission."""
EVENTS, LOGGED, ASKED, STREAMS, TOKENS, COLLECTIONS = 1_000, 50_000, 500, 100, 200, 50
AT_ONCE = 5_000
REPORT: dict[str, Any] = {"queries": [], "missing": [], "problems": [], "n_problems": 0}


def fill_all() -> None:
    """Write all data to the database of the settings, and print the keys and ids that URLs need."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection, transaction

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    from annotations.models import Collection

    fill("large", ALGORITHMS, QUERIES, measure_keys(), version=VERSIONS)
    for number in range(1, COLLECTIONS):
        fill(f"other-{number}", 5, 20, measure_keys())
    collection = Collection.objects.get(slug="large")
    with transaction.atomic():
        people = _people(collection)
        made = _around(collection, people) | _curation(collection, people)
        _versions(collection)
        _answers(collection, people)
        _scores(connection)
        made |= _streams(collection, people)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(json.dumps(made))


def _many(rows: Iterable[Any]) -> list[Any]:
    """Insert rows into one table, and return them."""
    rows = list(rows)
    return list(type(rows[0])._default_manager.bulk_create(rows, batch_size=AT_ONCE))


def _people(collection: Any) -> list[Any]:
    from accounts.models import User
    from annotations.models import Collection, Membership, Role

    names = ["owner", *(f"person-{number}" for number in range(1, MEMBERS))]
    people = _many(User(username=name, look=name, email=f"{name}@example.org") for name in names)
    roles = [Role.OWNER] + [Role.CURATOR] * CURATORS + [Role.SUBMITTER] * MEMBERS
    _many(Membership(collection=collection, user=one, role=role) for one, role in zip(people, roles, strict=False))
    others = Collection.objects.exclude(pk=collection.pk)
    _many(Membership(collection=one, user=people[0], role=Role.OWNER) for one in others)
    return people


def _around(collection: Any, people: list[Any]) -> dict[str, Any]:
    """Add invitation links, offers, requests, tokens and log entries."""
    from django.utils import timezone

    from accounts.models import ApiToken, AuditEntry
    from annotations.models import Collection, Invitation, ParticipationRequest, RoleOffer

    owner, now = people[0], timezone.now()
    facts = {"collection": collection, "role": "reader", "created_by": owner, "expires_at": now + timedelta(days=9)}
    _many(Invitation(**facts, prefix=f"{n:08}", sha256=f"{n:064}", note=f"person {n}") for n in range(ASKED))
    _many(RoleOffer(collection=collection, user=one, role="reader", offered_by=owner) for one in people)
    others = list(Collection.objects.exclude(pk=collection.pk))
    _many(RoleOffer(collection=one, user=owner, role="reader", offered_by=people[1]) for one in others)
    _many(ParticipationRequest(collection=collection, user=one, message="please") for one in people[-ASKED:])
    ended = {"state": "withdrawn", "answered_at": now}
    _many(ParticipationRequest(collection=collection, user=owner, **ended) for _ in range(ASKED))
    _many(
        ApiToken(user=owner, name=f"token {n}", prefix=f"{n:08}", sha256=f"{n:064}", scopes="read")
        for n in range(TOKENS)
    )
    entry = {"kind": "role-given", "actor": owner.pk, "actor_name": "owner", "about": "reader"}
    of_account = {"account": owner.pk, "account_name": "owner"}
    _many(AuditEntry(**entry, collection=collection.pk) for _ in range(LOGGED))
    _many(AuditEntry(**entry | {"kind": "signed-in"}, **of_account) for _ in range(LOGGED))
    return {"query": "q250"}


def _versions(collection: Any) -> None:
    """Add earlier versions with the same gold standards, and the pages of the queries."""
    from annotations.models import GoldVersion, GoldVersionEntry, Page

    latest = collection.gold_versions.get()
    numbers = range(1, VERSIONS)
    versions = _many(GoldVersion(collection=collection, number=number, sha256=f"{number:064}") for number in numbers)
    held = list(latest.entries.values_list("query_id", "gold_id"))
    _many(GoldVersionEntry(version=one, query_id=query, gold_id=gold) for one in versions for query, gold in held)
    queries = collection.queries.all()
    queries.update(stored_rows=PAGES)
    _many(
        Page(query=query, key=f"p{n}", position=n, rank=n + 1, title=f"Page {n}", url=f"https://{n}.example/")
        for query in queries
        for n in range(PAGES)
    )


def _answers(collection: Any, people: list[Any]) -> None:
    """Add clusterings and evaluations of the scored submissions, other submissions without scores, and many runs."""
    from django.utils import timezone

    from evaluation.models import Clustering, Evaluation, Run, RunEvent, RunQuery, Submission, SubmissionReport

    owner, done = people[0], list(collection.runs.select_related("submission"))
    golds = dict(collection.gold_versions.get(number=VERSIONS).entries.values_list("query_id", "gold__sha256"))
    cells = [(run, query, f"{run.pk:032}{query:032}") for run in done for query in golds]
    facts = {"n_clusters": 10, "n_memberships": PAGES, "n_pages_covered": PAGES}
    _many(Clustering(submission=run.submission, query_id=query, sha256=key, **facts) for run, query, key in cells)
    _many(SubmissionReport(submission=run.submission, content=REPORT) for run in done)
    under = {"policies": done[0].policies, "policies_sha256": "0" * 64}
    evaluations = _many(Evaluation(clustering_sha256=key, gold_sha256=golds[query], **under) for _, query, key in cells)
    _many(
        RunQuery(run=run, query_id=query, evaluation=one)
        for (run, query, _), one in zip(cells, evaluations, strict=True)
    )
    said = {"collection": collection, "origin": "api", "created_by": owner}
    others = _many(
        Submission(**said, algorithm_id=run.submission.algorithm_id, published=n % 2 == 0, sha256=f"{n}{run.pk:063}")
        for run in done
        for n in range(1, SUBMISSIONS)
    )
    first = done[0].submission.algorithm_id
    others += _many(Submission(**said, algorithm_id=first, published=True, sha256=f"{n:064}") for n in range(2_000))
    error = {"code": "x", "sentence": "No.", "where": "", "fix": "", "problems": []}
    run = {"kind": "evaluation", "collection": collection, "gold_version": done[0].gold_version, "created_by": owner}
    run |= {"finished_at": timezone.now(), "policies": done[0].policies}
    states = [{"state": "failed", "error": error}, *([{"state": "cancelled"}] * (RUNS - 1))]
    _many(
        Run(**run, **state, submission=one) for one in (*(one.submission for one in done), *others) for state in states
    )
    _many(RunEvent(run=done[0], actor="worker", why=f"step {n}") for n in range(EVENTS))


def _scores(connection: Any) -> None:
    """Add a score of each measure for each evaluation."""
    measures = measure_keys()
    some = " UNION ALL ".join(f"SELECT %s AS measure, {n} AS n" for n in range(len(measures)))
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO evaluation_score (evaluation_id, measure, measure_version, level, depth, deepest, value, "  # noqa: S608  # our own
            "undefined, flattened, engine) SELECT evaluation.id, measures.measure, 1, '', 0, 0, "
            "((evaluation.id * 37 + measures.n * 11) %% 1000) / 1000.0, '', false, '1' "
            f"FROM evaluation_evaluation AS evaluation CROSS JOIN ({some}) AS measures ORDER BY evaluation.id",
            measures,
        )


def _curation(collection: Any, people: list[Any]) -> dict[str, Any]:
    """Add drafts and assignments of ten curators, and comment threads that involve the owner."""
    from django.utils import timezone

    from annotations.models import Assignment, Comment, CommentThread, Draft, DraftPublication, OthersSeen, ThreadReader

    owner, curators = people[0], people[1 : CURATORS + 1]
    queries = list(collection.queries.all())
    today = timezone.localdate()
    _many(Assignment(query=query, curator=one, due=today, assigned_by=owner) for query in queries for one in curators)
    summary = {"pages": PAGES, "outliers": 0, "levels": [], "topics": 0}
    kind = {"kind": "own", "summary": summary, "status": "submitted", "submitted_at": timezone.now()}
    drafts = _many(Draft(query=query, curator=one, name=f"of {one}", **kind) for query in queries for one in curators)
    seen = {
        "what": "agreement",
        "seen_at": timezone.now() - timedelta(hours=1),
    }  # seen by one curator of each query before they started
    _many(
        OthersSeen(query=query, user=curators[n % CURATORS], draft=drafts[n * CURATORS + (n + 1) % CURATORS], **seen)
        for n, query in enumerate(queries)
    )
    facts = {"revision": 0, "version": collection.gold_versions.latest("number"), "published_by": owner}
    _many(DraftPublication(draft=draft, gold=draft.query.golds.first(), **facts) for draft in drafts[:: 2 * CURATORS])
    shared = _many(Draft(query=queries[250], kind="shared", name=f"draft {n}", summary=summary) for n in range(30))
    facts = {"about": "page", "key": "p1", "title": "Page 1", "changed": 1, "spoken": 1}
    threads = _many(CommentThread(draft=draft, **facts) for draft in drafts)
    _many(Comment(thread=one, op_id=uuid4(), user=curators[0], text="@owner: so?") for one in threads for _ in range(2))
    _many(ThreadReader(thread=one, user=owner, concerned=True) for one in threads)
    talk = {"about": "page", "title": "Page", "spoken": 1}
    _many(CommentThread(draft=shared[0], **talk, key=f"p{n}", changed=n + 1) for n in range(1_000))
    return {"draft": shared[0].pk}


def _streams(collection: Any, people: list[Any]) -> dict[str, Any]:
    """Add streams, and submissions to the first one."""
    from annotations.models import Stream
    from evaluation.models import Algorithm, StreamSubmission

    facts = {"n_points": 100, "n_dimensions": 2, "n_classes": 3, "n_noise": 0, "first_time": 0.0, "last_time": 99.0}
    streams = _many(
        Stream(collection=collection, key=f"stream-{n}", position=n, sha256=f"{n:064}", **facts) for n in range(STREAMS)
    )
    said = {"origin": "api", "created_by": people[0], "published": True, "n_snapshots": 1, "n_clusters": 3}
    algorithms = Algorithm.objects.filter(collection=collection)
    _many(
        StreamSubmission(stream=streams[0], algorithm=one, sha256=f"{n:064}", **said)
        for one in algorithms
        for n in range(3)
    )
    done = collection.runs.filter(state="done").earliest("pk")
    return {"run": done.pk, "submission": done.submission_id, "algorithm": done.submission.algorithm_id}
