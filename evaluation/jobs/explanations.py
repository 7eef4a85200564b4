"""Explain why a clustering scores as it does, where that is too much for a request."""

from __future__ import annotations

from evaluation import cases
from evaluation.jobs.context import JobContext
from evaluation.questions import Question, policies_of
from evaluation.selectors.stored_explanations import stored_explanation
from evaluation.services.explanations import keep, packed
from qc4.measures.registry import REGISTRY
from qc4.measures.scoring import score
from qc4.problems import InputError, Problem

QC4_FAMILY = "qc4"


def execute(context: JobContext) -> None:
    """Do an explanation run: all of it is worked out, then kept and DONE in one transaction. One that starts again
    begins anew, as nothing of it is of use alone.

    Raises:
        InputError: the clustering or the gold standard is gone.
    """
    run = context.run
    options = run.options
    if run.submission is None or run.gold_version is None:
        raise InputError([Problem("no-clustering", "run", "no submission", "one with an answer to this query")])
    row = run.submission.clusterings.select_related("file").get(query__key=options["query"])
    gold = run.gold_version.entries.select_related("gold__file").get(query__key=options["query"]).gold
    question = Question(row.sha256, gold.sha256, policies_of(options))
    if stored_explanation(question):
        return
    context.checkpoint(0, 2, f"explaining query {options['query']}")
    measures = [measure.key for measure in REGISTRY.family(QC4_FAMILY)]
    result = score(
        cases.gold_standard(gold), cases.clustering(row), measures=measures, policies=question.policies, explain=True
    )
    context.checkpoint(1, 2, "packing")
    parts = list(packed(result))
    context.commit(lambda: keep(question, parts, result), done=2, total=2, finish="Explained.")
