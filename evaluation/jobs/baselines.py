"""Run the built-in baselines on a collection; each becomes a submission like any other."""

from __future__ import annotations

from collections.abc import Sequence

from annotations.models import Collection, Gold, GoldVersion, Query
from annotations.selectors.page_lists import page_list
from evaluation import cases
from evaluation.baselines import BASELINES, Baseline
from evaluation.baselines import run as run_baseline
from evaluation.jobs.context import JobContext
from evaluation.models import Run, Submission
from evaluation.services import runs
from evaluation.services.baselines import algorithm_name
from evaluation.services.submissions import submission_sha256, submit
from qc4.clustering.clustering import Clustering, SubmissionDocument
from qc4.problems import ProblemList


def execute(context: JobContext) -> None:
    """Do a baselines run: one baseline after the other, each committed with its queued evaluation.

    A run that starts again goes on after the last baseline it finished.

    Raises:
        InputError: a baseline that was asked for by name finds nothing it can run on.
    """
    _forget_others_work(context.run)
    options = context.run.options
    collection = context.run.collection
    if collection is None:
        raise ValueError("a baselines run has a collection")
    queries = list(collection.queries.all())
    version, golds = _latest_gold(collection)
    keys: list[str] = options["keys"]
    for number, key in enumerate(keys):
        if key in options["submissions"]:
            continue
        baseline, done = BASELINES[key], number * len(queries)
        answers, lacking = _answers(context, baseline, queries, golds, done, len(keys) * len(queries))
        done += len(queries)
        if not answers and options["chosen"]:
            _refuse(baseline, lacking)
        context.commit(lambda: _keep(context, baseline, answers, version), done=done, total=len(keys) * len(queries))  # noqa: B023  # called at once
        if lacking:
            context.remark(
                f"{baseline.title}: left out {len(lacking)} of {len(queries)} queries, which lack {lacking[0]}."
            )
    context.finish(f"{sum(pk is not None for pk in options['submissions'].values())} baselines answered.")


def _forget_others_work(run: Run) -> None:
    """``submissions`` in the options says what this run has done; a repeated run starts with what another one did."""
    if run.options.get("run") != run.pk:
        run.options |= {"run": run.pk, "submissions": {}}


def _answers(
    context: JobContext, baseline: Baseline, queries: Sequence[Query], golds: dict[int, Gold], done: int, total: int
) -> tuple[list[Clustering], list[str]]:
    """The clusterings of the queries that have what the baseline needs, and what the others lack."""
    answers, lacking = [], []
    for number, query in enumerate(queries):
        context.checkpoint(done + number, total, f"{baseline.title}: {query.key}")
        document, gold = page_list(query), golds.get(query.pk)
        if missing := baseline.missing(document, gold is not None):
            lacking.append(missing)
            continue
        standard = cases.gold_standard(gold) if gold is not None and baseline.needs_gold else None
        answers.append(run_baseline(baseline.key, document, standard, context.run.options["seed"]))
    return answers, lacking


def _latest_gold(collection: Collection) -> tuple[GoldVersion | None, dict[int, Gold]]:
    """The latest version with its gold standards by query."""
    version = collection.gold_versions.order_by("-number").first()
    if version is None:
        return None, {}
    return version, {entry.query_id: entry.gold for entry in version.entries.select_related("gold__query")}


def _keep(context: JobContext, baseline: Baseline, answers: list[Clustering], version: GoldVersion | None) -> None:
    """Store the answers, queue their evaluation, and note in the run that this baseline is done."""
    run = context.run
    if run.collection is None:
        raise ValueError("a baselines run has a collection")
    submission = None
    if answers:
        seed = run.options["seed"] if baseline.seeded else None
        submission = _unchanged(run.collection, baseline, answers, seed) or _submit(
            run, baseline, answers, seed, version
        )
        _ensure_evaluation(submission, run)
    run.options["submissions"][baseline.key] = submission.pk if submission else None
    Run.objects.filter(pk=run.pk).update(options=run.options)


def _submit(
    run: Run, baseline: Baseline, answers: list[Clustering], seed: int | None, version: GoldVersion | None
) -> Submission:
    if run.collection is None:
        raise ValueError("a baselines run has a collection")
    # What is made from a gold standard says from which, so that those of several versions can be told apart.
    made_from = {"gold_version": version.number} if version is not None and baseline.needs_gold else {}
    return submit(
        collection=run.collection,
        algorithm_name=algorithm_name(run.collection, baseline),
        document=SubmissionDocument(tuple(answers), baseline.title),
        user=run.created_by,
        origin=Submission.Origin.BASELINE,
        published=True,
        parameters={"baseline": baseline.key, **baseline.defaults, **made_from},
        seed=seed,
        baseline=baseline.key,
        queue=run.queue,
        limited=False,
    )[0]


def _unchanged(
    collection: Collection, baseline: Baseline, answers: list[Clustering], seed: int | None
) -> Submission | None:
    """The baseline's latest submission if it says the same: then there is no need for another."""
    latest = collection.submissions.filter(algorithm__baseline=baseline.key, sweep=None).order_by("-pk").first()
    sha256 = submission_sha256({answer.query: cases.content_sha256(answer) for answer in answers})
    return latest if latest is not None and (latest.sha256, latest.seed) == (sha256, seed) else None


def _ensure_evaluation(submission: Submission, run: Run) -> None:
    """Queue the evaluation against the latest gold version, unless there is one."""
    version = submission.collection.gold_versions.order_by("-number").first()
    useless = (Run.State.FAILED, Run.State.CANCELLED)
    if version is None or submission.runs.filter(gold_version=version).exclude(state__in=useless).exists():
        return
    runs.enqueue_evaluation(
        submission=submission, gold_version=version, user=run.created_by, queue=run.queue, limited=False
    )


def _refuse(baseline: Baseline, lacking: Sequence[str]) -> None:
    problems = ProblemList()
    missing = lacking[0] if lacking else "queries"
    fix = f"Import {missing} first, or leave this baseline out."
    problems.error("baseline-needs", f"baseline {baseline.key}", f"no query with {missing}", missing, fix)
    problems.refuse_errors()
