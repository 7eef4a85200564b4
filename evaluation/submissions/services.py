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

# Clusterings as they are stored, made before the transaction that stores them: of the largest submission that takes
# seconds, in which nobody else could write on SQLite.


@dataclass(frozen=True, slots=True)
class Packed:
    """A clustering's file, and the SHA-256 of what it says (`evaluation.scoring.cases.content_sha256`)."""

    sha256: str
    content: bytes


def pack(answers: Iterable[EngineClustering]) -> dict[str, Packed]:
    """Query key -> its clustering, packed."""
    return {
        answer.query: Packed(cases.content_sha256(answer), zlib.compress(write_clustering(answer), 6))
        for answer in answers
    }


# Where a submission comes from and who sees it: what both kinds of submissions are kept with.


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who submits, by which way, and what follows from it.

    Attributes:
        user: None for whoever runs the site.
        origin: one of ``Submission.Origin``.
        published: whether everybody who sees the collection sees it.
        baseline: the key of the built-in baseline that made it.
        settings: what differs from its default parameters, as it is written.
        queue: of the run that scores or measures it.
        limited: whether the limits on unfinished runs apply to that run.
        about: what is said of the algorithm, by the names of ``Algorithm.ABOUT``; what is empty stays as it is.
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
        """Made by a run, for whoever asked for it; for everybody to compare with."""
        origin = Submission.Origin.BASELINE
        return cls(
            run.created_by, origin, published=True, baseline=key, settings=settings, queue=run.queue, limited=False
        )

    def columns(self, collection: Collection, algorithm: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What the row of a submission says of it, whatever its kind.

        Raises:
            InputError: the algorithm's name is a baseline's or somebody else's; what is said of it is wrong.
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


# Look at a submission before it is taken: every problem at once, and what each query's answer looks like.


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
    """Read a submission in any format and hold it against the collection's page lists. Writes nothing.

    Args:
        filename: what messages call the source.
        algorithm: whose answers they are; by default the file must say so. In a file of several algorithms it picks
            the one of that name; if none is called so, all clusterings together are taken for that algorithm's.
        parameters: of the algorithm; by default those in the file.
        noise, label_separator: how labels of pages are read, as of `qc4.io.read_submissions`.
        user: the person who would submit it; None for a command run by the site's operator. A name may be another
            person's, which is reported only if the person sees that algorithm, and a challenge may refuse submissions
            of this person now.
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
    taken = [*challenges.refusals(collection, user), *visible_name_problems(collection, report.named.strip(), user)]
    return replace(report, problems=(*taken, *report.problems), document=None) if taken else report


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of an upload: its submission, whether it was made just now, and the run that was queued for it."""

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
    """Keep a submission and queue its evaluation against the latest gold version, both or neither.

    Where the collection's board is looked at under other policies, too, it is scored under these as well.

    Args:
        report: what `check` or `report_on` said of it.
        upload: the file it came in.
        repeat: what tells it from other runs of the algorithm that count together with it; "" for none.
        measures: keys; None for all that apply.
        policies: under which it is to be scored, too.
        packed: the report's clusterings, where this is called in a transaction.

    Returns:
        The submission and its run under the default policies; None while no gold standard is published.

    Raises:
        InputError: every problem of the file, or the algorithm's name is a baseline's or somebody else's; the
            collection's challenge takes none now, or none more of this person.
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
    """Keep a submission with what the checker said of it; nothing scores it.

    Args:
        packed: the report's clusterings.
        sweep: the run that makes it as one of many.
        repeat: what tells it from other repeats of its algorithm, with which it counts together.

    Raises:
        InputError: as `submit`.
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
        storage.admit(provenance.user, collection, submission.stored_bytes, submission.stored_rows)
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
    """Submit a file that was kept when it was checked; the submission there is, if it was sent twice and read alike.

    Args:
        algorithm: by default the name the file gives.
        policies: as of `submit`.
        noise, label_separator: how labels are read, as of `check`.

    Raises:
        InputError, TooManyRuns: as `submit`; the file is checked again, because the collection may have changed.
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
        # Locked: a second click waits here and then finds what the first one made.
        of_file = Upload.objects.select_for_update().get(pk=upload.pk).submissions.select_related("report")
        made = next((one for one in of_file if _is_read_as(one, report)), None)
        if made is not None:
            return Taken(made, False)
        submission, run = submit(
            collection, report, provenance, upload=upload, seed=seed, repeat=repeat, policies=policies, packed=packed
        )
    return Taken(submission, True, run)


def _is_read_as(submission: Submission, report: Report) -> bool:
    """Whether the labels of its file were read as those of a report on the same file: else it has other clusterings."""
    content, wanted = submission.report.content, report.to_dict()
    return all(content[option] == wanted[option] for option in ("noise", "label_separator"))


def publish(submission: Submission | StreamSubmission, published: bool = True) -> None:
    """Let everybody who sees the collection see it, or only its owner and the owners of the collection.

    Raises:
        InputError: its challenge has closed, and what counts in it is still being scored.
    """
    if isinstance(submission, Submission):
        challenges.settle_first(submission.collection)
    changed = type(submission)._default_manager.filter(pk=submission.pk).exclude(published=published)
    with transaction.atomic():
        if changed.update(published=published):
            audit.log_publication(submission, published)
            if isinstance(submission, Submission):
                scoring.score_what_counts([submission.algorithm], submission.collection)
    submission.published = published


def submission_sha256(answers: Mapping[str, str]) -> str:
    """SHA-256 over the lines ``<query key>\\t<clustering sha256>\\n`` in the order given."""
    return hashlib.sha256("".join(f"{key}\t{sha256}\n" for key, sha256 in answers.items()).encode()).hexdigest()


def _packed(report: Report) -> dict[str, Packed]:
    return pack(report.document.clusterings) if report.document is not None else {}


def _files(submission: Submission, report: Report, packed: Mapping[str, Packed]) -> dict[str, ClusteringFile]:
    """One row and its file per query, in the order of the queries; not saved yet."""
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
