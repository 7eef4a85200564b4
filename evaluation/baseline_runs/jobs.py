"""Run the built-in baselines on a collection; each becomes a submission like any other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from annotations.collections.selectors import page_list_document, page_lists
from annotations.gold.selectors import golds_of, latest_version
from annotations.models import Gold, Query
from evaluation.baseline_runs.services import algorithm_name
from evaluation.baselines import Baseline, BaselineSpec
from evaluation.baselines import run as run_baseline
from evaluation.models import Run, Submission
from evaluation.runs.context import JobContext, make_submissions
from evaluation.scoring import cases
from evaluation.scoring import services as scoring
from evaluation.submissions.reports import report_on
from evaluation.submissions.services import Packed, Provenance, keep, pack, submission_sha256
from qc4.model.clustering import Clustering, SubmissionDocument
from qc4.problems import InputError, Problem


@dataclass(frozen=True, slots=True)
class Setting:
    """A baseline with its seed: run with its defaults, or as one setting of a sweep."""

    baseline: Baseline
    seed: int

    @property
    def words(self) -> str:
        return self.baseline.title

    @property
    def name(self) -> str:
        """The name of the algorithm."""
        return self.baseline.title

    @property
    def settings(self) -> str:
        """How the algorithm's parameters differ from the baseline's defaults."""
        return ""

    @property
    def parameters(self) -> dict[str, Any]:
        return self.baseline.defaults


@dataclass(frozen=True, slots=True)
class Draw(Setting):
    """One draw of a baseline with the given parameters; several draws count together."""

    order: BaselineSpec

    @property
    def key(self) -> str:
        return f"{self.order.written}/{self.seed}" if self.baseline.repeated else self.order.written

    @property
    def words(self) -> str:
        return f"{self.order.title}, seed {self.seed}" if self.baseline.repeated else self.order.title

    @property
    def name(self) -> str:
        return self.order.title

    @property
    def settings(self) -> str:
        return self.order.settings

    @property
    def parameters(self) -> dict[str, Any]:
        return self.order.parameters

    @property
    def repeat(self) -> str:
        """The name that distinguishes this draw from the others."""
        return f"seed {self.seed}" if self.baseline.repeated else ""


def draws(options: dict[str, Any]) -> Iterator[Draw]:
    """The draws that a run was asked for, in order."""
    for order in map(BaselineSpec.parse, options["keys"]):
        for number in range(options.get("draws", 1) if order.baseline.repeated else 1):
            yield Draw(order.baseline, options["seed"] + number, order)


@dataclass(frozen=True, slots=True)
class Answers:
    """The clusterings of the queries that have the baseline's inputs, and the inputs that other queries lack."""

    clusterings: tuple[Clustering, ...]
    packed: Mapping[str, Packed]
    lacking: tuple[str, ...]

    @property
    def sha256(self) -> str:
        """The SHA-256 that a submission of these clusterings would have."""
        return submission_sha256({query: answer.sha256 for query, answer in self.packed.items()})


def execute(context: JobContext) -> None:
    """Execute a baselines run: one baseline at a time, each committed together with its queued evaluation.

    Raises:
        InputError: a baseline that was requested by name has no query it can run on.
    """
    run, collection = context.run, context.collection
    queries, version = list(collection.queries.all()), latest_version(collection)
    golds = golds_of(version)

    def make(setting: Draw) -> Answers:
        found = answers(context, setting, queries, golds)
        if not found.clusterings and run.options["chosen"]:
            missing = found.lacking[0] if found.lacking else "queries"
            fix = f"Import {missing} first, or do not select this baseline."
            raise InputError([nothing_to_run_on(f"baseline {setting.baseline.key}", missing, fix)])
        return found

    def keep_scored(setting: Draw, found: Answers) -> Submission | None:
        if found.lacking:
            skipped = f"{len(found.lacking)} of {len(queries)} queries skipped"
            context.note(f"{setting.words}: {skipped}; they lack {found.lacking[0]}.")
        if not found.clusterings:
            return None
        seed = setting.seed if setting.baseline.seeded else None
        # Baselines made from a gold standard record its version, so that those of several versions are distinguishable.
        made_from = {"gold_version": version.number} if version is not None and setting.baseline.needs_gold else {}
        same = collection.submissions.filter(
            algorithm__baseline=setting.baseline.key, algorithm__settings=setting.settings, repeat=setting.repeat
        )
        latest = same.filter(sweep=None).order_by("-pk").first()
        if latest is None or (latest.sha256, latest.seed) != (found.sha256, seed):
            latest = submit_answers(context, setting, found, made_from, seed=seed, repeat=setting.repeat)
        _ensure_evaluations(latest, run, queue="bulk" if setting.seed > run.options["seed"] else run.queue)
        return latest

    asked = {draw.key: draw for draw in draws(run.options)}
    made = make_submissions(context, asked, attrgetter("words"), make, keep_scored, units=len(queries))
    answered = {asked[key].order.written for key, pk in made.items() if pk is not None}
    context.finish(f"{len(answered)} baselines completed.")


def answers(context: JobContext, setting: Setting, queries: Sequence[Query], golds: Mapping[int, Gold]) -> Answers:
    """Run the baseline on each query; progress continues from the run's current state."""
    found, lacking, done = [], [], context.run.done
    for number, query in enumerate(queries):
        context.checkpoint(done + number, step=f"{setting.words}: {query.key}")
        document, gold = page_list_document(query), golds.get(query.pk)
        if missing := setting.baseline.missing(document, gold is not None):
            lacking.append(missing)
            continue
        standard = cases.gold_standard(gold) if gold is not None and setting.baseline.needs_gold else None
        found.append(run_baseline(setting.baseline.key, document, standard, setting.seed, setting.parameters))
    return Answers(tuple(found), pack(found), tuple(lacking))


def submit_answers(
    context: JobContext,
    setting: Setting,
    found: Answers,
    more: Mapping[str, Any],
    *,
    seed: int | None,
    sweep: Run | None = None,
    repeat: str = "",
) -> Submission:
    """Store the clusterings as a submission of the baseline; ``more`` is added to its parameters."""
    collection, key = context.collection, setting.baseline.key
    parameters = {"baseline": key, **setting.parameters, **more}
    name = algorithm_name(collection, key, setting.settings, setting.name)
    document = SubmissionDocument(found.clusterings, name, parameters)
    report = report_on(document, page_lists(collection))
    return keep(
        collection,
        report,
        Provenance.of_baseline(key, context.run, setting.settings),
        found.packed,
        seed=seed,
        sweep=sweep,
        repeat=repeat,
    )


def nothing_to_run_on(where: str, missing: str, fix: str = "") -> Problem:
    """The problem that no query has the baseline's inputs."""
    return Problem("baseline-needs", where, f"no query with {missing}", missing, fix)


def _ensure_evaluations(submission: Submission, run: Run, queue: str) -> None:
    """Queue the missing evaluations against the latest gold version."""
    version = latest_version(submission.collection)
    if version is not None:
        scoring.score_under_all([submission], version, user=run.created_by, queue=queue)
