"""The clustering to score, out of whatever submission file it lies in."""

from __future__ import annotations

from collections.abc import Sequence

from qc4.clustering.clustering import Clustering, SubmissionDocument
from qc4.gold.standard import GoldStandard
from qc4.problems import InputError, Problem
from qc4.problems.wording import listed, quoted


def answer_to(gold: GoldStandard, submissions: Sequence[SubmissionDocument], name: str) -> Clustering:
    """The one clustering of the gold standard's query among what a file holds; ``name`` is what messages call it.

    A file of one clustering gives that one, whatever query it names: `qc4.score` says what is wrong then.

    Raises:
        InputError: the file answers other queries only, or holds several algorithms' answers.
    """
    found = [(submission.algorithm, answer) for submission in submissions for answer in submission.clusterings]
    if len(found) == 1:
        return found[0][1]
    matching = [(algorithm, answer) for algorithm, answer in found if answer.query == gold.query_id]
    if len(matching) == 1:
        return matching[0][1]
    if matching:
        what = f"the answers of several algorithms: {listed([algorithm for algorithm, _ in matching])}"
        expected, fix = "one algorithm's", "Score one file per algorithm."
    else:
        what = f"clusterings of {listed([answer.query for _, answer in found])}" if found else "no clustering"
        expected, fix = f"one of query {quoted(gold.query_id)}", ""
    raise InputError([Problem("no-such-answer", name, what, expected, fix)])
