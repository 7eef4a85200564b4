"""Check a submission before it is stored, store it, publish it and withdraw it."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction

from accounts.models import User
from annotations.collections import storage
from annotations.collections.selectors import page_lists
from annotations.gold.selectors import latest_version
from annotations.models import Collection
from common.file_reading import read_sent
from evaluation import audit
from evaluation.algorithms.services import describe_with_submission, get_algorithm, visible_name_problems
from evaluation.challenges import services as challenges
from evaluation.models import (
    Clustering,
    ClusteringFile,
    Run,
    StreamSubmission,
    Submission,
    SubmissionReport,
    Upload,
)
from evaluation.scoring import cases
from evaluation.scoring import services as scoring
from evaluation.submissions.reports import Report, read_report
from evaluation.uploads import services as uploads
from qc4.io import write_clustering
from qc4.io.source import FileSource
from qc4.model.clustering import Clustering as EngineClustering
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem

# Clusterings are packed before the transaction that stores them. For the largest submissions this takes seconds, during
# which SQLite would block all other writers.


@dataclass(frozen=True, slots=True)
class Packed:
    """A clustering's compressed file and the SHA-256 of its content (`evaluation.scoring.cases.content_sha256`)."""

    sha256: str
    content: bytes


def pack(answers: Iterable[EngineClustering]) -> dict[str, Packed]:
    """Return the packed clustering of each query, by query key."""
    return {
        answer.query: Packed(cases.content_sha256(answer), zlib.compress(write_clustering(answer), 6))
        for answer in answers
    }


# --- Provenance: who submitted, and who can see the submission (both kinds of submissions) ---


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who submits, in which way, and the settings that follow from it.

    Attributes:
        user: the submitter; None for the site's operator.
        origin: one of ``Submission.Origin``.
        published: True if everyone who can see the collection can see the submission.
        baseline: the key of the built-in baseline that made it.
        settings: how the parameters differ from the baseline's defaults, in the notation of `Order`.
        queue: the queue of the run that scores or measures it.
        limited: True if the limits on unfinished runs apply to that run.
        about: details of the algorithm, by the names of ``Algorithm.ABOUT``; empty values change nothing.
    """

    user: User | None
    origin: str
    published: bool
    baseline: str = ""
    settings: str = ""
    queue: str = "interactive"
    limited: bool = True
    about: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_baseline(cls, key: str, run: Run, settings: str = "") -> Provenance:
        """The provenance of a baseline's submission: by the user who started the run, and visible to everyone."""
        origin = Submission.Origin.BASELINE
        return cls(
            run.created_by, origin, published=True, baseline=key, settings=settings, queue=run.queue, limited=False
        )

    def columns(self, collection: Collection, algorithm: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The fields that every kind of submission has.

        Raises:
            InputError: the algorithm's name belongs to a baseline or to another person, or its details are invalid.
        """
        named = get_algorithm(collection, algorithm, self.user, self.baseline, self.settings)
        describe_with_submission(named, self.about, self.user)
        return {
            "algorithm": named,
            "created_by": self.user,
            "published": self.published,
            "origin": self.origin,
            "parameters": dict(parameters),
        }


# --- Check a submission before it is stored ---


def check(
    collection: Collection,
    source: FileSource,
    *,
    filename: str | None = None,
    algorithm: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    user: User | None = None,
    noise: Sequence[Any] | None = None,
    label_separator: str = "",
) -> Report:
    """Read a submission in any format and check it against the collection's page lists. Writes nothing.

    Args:
        filename: the name of the source in messages.
        algorithm: the algorithm's name; required if the file does not contain it. If the file holds several algorithms,
            the one of this name is used; if none has this name, all clusterings are taken as this algorithm's.
        parameters: the algorithm's parameters; by default those in the file.
        noise, label_separator: how page labels are read, as in `qc4.io.read_submissions`.
        user: the person who would submit; None for a command run by the site's operator. A name taken by another person
            is reported only if ``user`` can see that algorithm. The challenge of the collection may not accept
            submissions from this person now.
    """
    lists = page_lists(collection)
    if not lists:
        fix = "Import queries and their pages first."
        return Report((Problem("no-queries", collection.name, "a collection without queries", "queries", fix),))
    try:
        report = read_sent(
            read_report,
            source,
            lists,
            algorithm,
            parameters,
            name=filename,
            noise=noise,
            label_separator=label_separator,
        )
    except InputError as error:
        return Report(error.problems)
    taken = [
        *challenges.rejection_problems(collection, user),
        *visible_name_problems(collection, report.named.strip(), user),
    ]
    return replace(report, problems=(*taken, *report.problems), document=None) if taken else report


@dataclass(frozen=True, slots=True)
class Taken:
    """The result of submitting an upload: the submission, whether it is new, and the run that was queued for it."""

    submission: Submission
    is_new: bool
    run: Run | None = None


def submit(
    collection: Collection,
    report: Report,
    provenance: Provenance,
    *,
    upload: Upload | None = None,
    seed: int | None = None,
    repeat: str = "",
    measures: Sequence[str] | None = None,
    policies: Policies | None = None,
    packed: Mapping[str, Packed] | None = None,
) -> tuple[Submission, Run | None]:
    """Store a submission and queue its evaluation against the latest gold version, both in one transaction.

    It is also scored under the other scoring options that the collection's leaderboard is viewed with.

    Args:
        report: the result of `check` or `report_on`.
        upload: the uploaded file.
        repeat: a name that distinguishes this run from the algorithm's other repeats; "" if there are none.
        measures: measure keys; None for all that apply.
        policies: further scoring options to score it under.
        packed: the report's packed clusterings; pass them if the call is inside a transaction.

    Returns:
        The submission and its run under the default scoring options; the run is None while no gold standard is
        published.

    Raises:
        InputError: every problem of the file; the algorithm's name belongs to a baseline or to another person; or the
            collection's challenge accepts no submissions now, or no more from this person.
        TooManyRuns: a limit on unfinished runs is reached.
    """
    packed = _packed(report) if packed is None else packed
    with transaction.atomic():
        admitted = challenges.admit(collection, provenance.user) if report.document is not None else None
        submission = keep(collection, report, provenance, packed, upload=upload, seed=seed, repeat=repeat)
        challenges.count(admitted, submission)
        if submission.published:
            audit.log_publication(submission)
        version = latest_version(collection)
        if version is None:
            return submission, None
        queued = scoring.score_under_all(
            [submission],
            version,
            user=provenance.user,
            measures=measures,
            queue=provenance.queue,
            limited=provenance.limited,
            also=policies,
        )
        return submission, queued[0]


def keep(
    collection: Collection,
    report: Report,
    provenance: Provenance,
    packed: Mapping[str, Packed],
    *,
    upload: Upload | None = None,
    seed: int | None = None,
    repeat: str = "",
    sweep: Run | None = None,
) -> Submission:
    """Store a submission with its checker report, without scoring it.

    Args:
        packed: the report's packed clusterings.
        sweep: the parameter sweep run that makes it.
        repeat: a name that distinguishes it from the algorithm's other repeats, which count together with it.

    Raises:
        InputError: as in `submit`.
    """
    if report.document is None:
        raise InputError(report.errors)
    document = report.document
    with transaction.atomic():
        submission = Submission.objects.create(
            collection=collection,
            upload=upload,
            seed=seed,
            repeat=repeat,
            sweep=sweep,
            **provenance.columns(collection, document.algorithm.strip(), document.parameters),
        )
        SubmissionReport.objects.create(submission=submission, content=report.to_dict())
        files = _files(submission, report, packed)
        submission.sha256 = submission_sha256({key: file.clustering.sha256 for key, file in files.items()})
        submission.stored_bytes, submission.stored_rows = sum(len(file.packed) for file in files.values()), len(files)
        storage.check_quota(provenance.user, collection, submission.stored_bytes, submission.stored_rows)
        submission.save(update_fields=["sha256", "stored_bytes", "stored_rows"])
        Clustering.objects.bulk_create([file.clustering for file in files.values()], batch_size=100)
        ClusteringFile.objects.bulk_create(files.values(), batch_size=100)
    return submission


def take_in(
    upload: Upload,
    collection: Collection,
    provenance: Provenance,
    algorithm: str | None,
    *,
    repeat: str = "",
    seed: int | None = None,
    policies: Policies | None = None,
    noise: Sequence[Any] | None = None,
    label_separator: str = "",
) -> Taken:
    """Submit a file that was stored when it was checked.

    If the same file was already submitted and read in the same way, return that submission.

    Args:
        algorithm: by default the name in the file.
        policies: as in `submit`.
        noise, label_separator: how labels are read, as in `check`.

    Raises:
        InputError, TooManyRuns: as in `submit`. The file is checked again because the collection may have changed.
    """
    path = uploads.path_of(upload)
    report = check(
        collection,
        path,
        filename=upload.name,
        algorithm=algorithm,
        user=provenance.user,
        noise=noise,
        label_separator=label_separator,
    )
    packed = _packed(report)
    with transaction.atomic():
        # The row is locked so that a second click waits here and then finds the submission of the first.
        of_file = Upload.objects.select_for_update().get(pk=upload.pk).submissions.select_related("report")
        made = next((one for one in of_file if _is_read_as(one, report)), None)
        if made is not None:
            return Taken(made, False)
        submission, run = submit(
            collection, report, provenance, upload=upload, seed=seed, repeat=repeat, policies=policies, packed=packed
        )
    return Taken(submission, True, run)


def _is_read_as(submission: Submission, report: Report) -> bool:
    """True if the stored submission read the file's labels as this report does; otherwise its clusters differ."""
    content, wanted = submission.report.content, report.to_dict()
    return all(content[option] == wanted[option] for option in ("noise", "label_separator"))


def publish(submission: Submission | StreamSubmission, published: bool = True) -> None:
    """Show the submission to everyone who can see the collection, or only to its owner and the collection's owners.

    Raises:
        InputError: the challenge has closed, and effective submissions are still being scored.
    """
    if isinstance(submission, Submission):
        challenges.freeze_results_before_change(submission.collection)
    changed = type(submission)._default_manager.filter(pk=submission.pk).exclude(published=published)
    with transaction.atomic():
        if changed.update(published=published):
            audit.log_publication(submission, published)
            if isinstance(submission, Submission):
                scoring.score_effective_submissions([submission.algorithm], submission.collection)
    submission.published = published


def submission_sha256(answers: Mapping[str, str]) -> str:
    """SHA-256 over the lines ``<query key>\\t<clustering sha256>\\n`` in the order given."""
    return hashlib.sha256("".join(f"{key}\t{sha256}\n" for key, sha256 in answers.items()).encode()).hexdigest()


def _packed(report: Report) -> dict[str, Packed]:
    return pack(report.document.clusterings) if report.document is not None else {}


def _files(submission: Submission, report: Report, packed: Mapping[str, Packed]) -> dict[str, ClusteringFile]:
    """One unsaved row and its file per query, in the order of the queries."""
    queries = {query.key: query for query in submission.collection.queries.all()}
    reports = {of_query.query: of_query for of_query in report.queries}
    files: dict[str, ClusteringFile] = {}
    for key in (key for key in queries if key in reports):
        row = Clustering(
            submission=submission,
            query=queries[key],
            sha256=packed[key].sha256,
            n_clusters=reports[key].clusters,
            n_memberships=reports[key].memberships,
            n_pages_covered=reports[key].covered,
        )
        files[key] = ClusteringFile(clustering=row, packed=packed[key].content)
    return files
