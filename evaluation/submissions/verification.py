"""Check that submissions, uploads, scores and columns are unchanged since they were stored (see
`annotations.verification`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Q, QuerySet

from annotations import verification
from annotations.models import Collection
from annotations.verification import Check, amount_checks, fault, file_faults, hash_faults, rows_in
from evaluation.models import Clustering, Run, RunQuery, StreamResult, StreamSubmission, Submission, Upload
from evaluation.scoring import cases, stored_columns
from evaluation.scoring.cells import policies_sha256
from evaluation.stream_settings import StreamSettings
from evaluation.submissions.services import submission_sha256
from evaluation.uploads import services as uploads
from qc4.model.clustering_summary import ClusteringSummary
from qc4.model.policies import Policies
from qc4.problems import Problem

_CHUNK = 256 * 1024
_NUMBERS = ("packed", "gaps", "flattened", "cuts", "engines")


def _upload_faults(upload: Upload) -> Iterator[Problem]:
    fix = "Restore the file from a backup of the uploads folder; its name is its SHA-256."
    path = uploads.path_of(upload)
    if not path.is_file():
        yield fault(upload, "no file", f"one of {upload.size:,} bytes", fix)
        return
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    if (digest.hexdigest(), size) != (upload.sha256, upload.size):
        yield fault(upload, f"a file of {size:,} bytes", f"the {upload.size:,} bytes that were uploaded", fix)


def _clustering_faults(row: Clustering) -> Iterator[Problem]:
    if getattr(row, "file", None) is None:
        yield fault(row, "no file", "the file it was stored with")
        return
    answer = cases.clustering(row)
    yield from hash_faults(row, row.sha256, cases.content_sha256(answer))
    members = [page for cluster in answer.clusters for page in cluster.pages]
    counted = ClusteringSummary.of(answer)
    if (row.n_clusters, row.n_memberships) != (counted.clusters, counted.memberships):
        yield fault(row, f"{row.n_clusters} clusters of {row.n_memberships} pages", "the figures of its file")
    known = set(row.query.pages.values_list("key", flat=True))
    if unknown := set(members) - known:
        yield fault(row.query, f"no page {min(unknown)!r}, which is in a cluster of {row}", "every page of its list")


def _submission_faults(submission: Submission) -> Iterator[Problem]:
    answers = submission.clusterings.order_by("query__position", "query_id").values_list("query__key", "sha256")
    yield from hash_faults(submission, submission.sha256, submission_sha256(dict(answers)))


def _evaluation_faults(row: RunQuery) -> Iterator[Problem]:
    """Report scores that do not belong to the run's clustering, gold standard and scoring options."""
    run, evaluation = row.run, row.evaluation
    mine = Clustering.objects.filter(submission=run.submission_id, query=row.query_id).values_list("sha256", flat=True)
    gold = run.gold_version.golds.filter(query=row.query_id) if run.gold_version else None
    told = (evaluation.clustering_sha256, evaluation.gold_sha256)
    if told != (mine.first(), gold.values_list("sha256", flat=True).first() if gold is not None else None):
        yield fault(row, "scores of a different clustering or gold standard", "the scores of its run")
    policies = Policies(**evaluation.policies)
    if policies_sha256(policies) != evaluation.policies_sha256 or policies != Policies(**run.policies):
        yield fault(row, "scores under different scoring options", "the scoring options of its run")
    versions = set(evaluation.scores.values_list("measure", "measure_version"))
    if not versions & set(run.measures.items()):
        yield fault(row, "no score by any measure of its run", "scores", "Score the submission again.")


def _run_faults(run: Run) -> Iterator[Problem]:
    """Report columns, which leaderboards read, that differ from the scores."""
    fix = "Score the submission again: its latest run counts."
    made = {(one.measure, one.level, one.depth): one for one in stored_columns.collect(run)}
    kept = {(one.measure, one.level, one.depth): one for one in run.columns.all()}
    for place in sorted(made.keys() | kept.keys()):
        name = f"{place[0]}[{place[1]}]"
        if place not in kept or place not in made:
            which = "no column" if place not in kept else "a column without scores"
            yield fault(run, f"{which} {name}", "one column for each set of scores", fix)
        elif _numbers(made[place]) != _numbers(kept[place]):
            yield fault(run, f"a column {name} that differs from its scores", "the same values", fix)


def _numbers(column: Any) -> Mapping[str, Any]:
    return {name: getattr(column, name) for name in _NUMBERS} | {"packed": bytes(column.packed)}


def _result_faults(result: StreamResult) -> Iterator[Problem]:
    yield from hash_faults(result, result.settings_sha256, StreamSettings.parse(result.settings).sha256)


def _uploads(collection: Collection | None) -> QuerySet[Upload]:
    if collection is None:
        return Upload.objects.all()
    held = Q(submissions__collection=collection) | Q(runs__collection=collection)
    return Upload.objects.filter(held).distinct()


def _evaluated(collection: Collection | None) -> QuerySet[Run]:
    """Finished evaluations of existing submissions, including those that a challenge currently hides."""
    done = Run.objects.filter(kind=Run.Kind.EVALUATION, state=Run.State.DONE)
    done = done.select_related("submission", "gold_version")
    return done if collection is None else done.filter(collection=collection)


CHECKS = (
    *verification.CHECKS,
    Check("uploaded files", _uploads, _upload_faults),
    Check("clusterings", rows_in(Clustering, "submission__collection", "file", "query"), _clustering_faults),
    Check("submissions", rows_in(Submission, "collection"), _submission_faults),
    Check("submissions to streams", rows_in(StreamSubmission, "stream__collection", "file"), file_faults),
    Check("results of streams", rows_in(StreamResult, "submission__stream__collection"), _result_faults),
    Check(
        "scores",
        rows_in(RunQuery, "run__collection", "run__gold_version", "evaluation"),
        _evaluation_faults,
    ),
    Check("columns of boards", _evaluated, _run_faults),
)


def verify(collection: Collection | None) -> Iterator[tuple[str, int, int, list[Problem]]]:
    """Check every stored row of one collection, or of all collections.

    Yields:
        The title of the check, the number of rows checked so far, the total number of rows, and the problems of the row
        just checked.
    """
    for check in (*CHECKS, *amount_checks()):
        total = check.rows(collection).count()
        for done, problems in enumerate(check.run(collection), start=1):
            yield check.title, done, total, problems
