"""The clusterings that are asked about, out of whatever submission files they lie in."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from qc4.model.clustering import Clustering, SubmissionDocument
from qc4.model.gold_standard import GoldStandard
from qc4.model.query_names import QueryNames
from qc4.problems import InputError, Problem
from qc4.wording import counted, listed, printable, quoted


def answer_to(query: str, submissions: Sequence[SubmissionDocument], name: str) -> Clustering:
    """The one clustering of a query among what a file holds; ``name`` is what messages call it.

    A file of one clustering gives that one, whatever query it names: who measures it says what is wrong then.

    Raises:
        InputError: the file answers other queries only, or holds several algorithms' answers.
    """
    found = [(submission.algorithm, answer) for submission in submissions for answer in submission.clusterings]
    if len(found) == 1:
        return found[0][1]
    matching = [(algorithm, answer) for algorithm, answer in found if answer.query == query]
    if len(matching) == 1:
        return matching[0][1]
    if matching:
        what = f"the answers of several algorithms: {listed([algorithm for algorithm, _ in matching])}"
        expected, fix = "one algorithm's", "Make one file per algorithm."
    else:
        what = f"clusterings of {listed([answer.query for _, answer in found])}" if found else "no clustering"
        expected, fix = f"one of query {quoted(query)}", ""
    raise InputError([Problem("no-such-answer", name, what, expected, fix)])


def answers_to(gold: GoldStandard, clusterings: Iterable[Clustering], name: str) -> list[Clustering]:
    """All clusterings of the gold standard's query among those of a file; what is left out is told on standard error.

    Raises:
        InputError: there is none.
    """
    assert gold.document is not None  # it was read from a file
    names = QueryNames.of_documents([gold.document])
    named = [names.renamed_answer(answer) for answer in clusterings]
    others = list(dict.fromkeys(answer.query for answer in named if answer.query != gold.query_id))
    found = [answer for answer in named if answer.query == gold.query_id]
    if not found:
        what = f"clusterings of {listed(others)}" if others else "no clustering"
        raise InputError([Problem("no-such-answer", name, what, f"some of query {names.told(gold.query_id)}")])
    if others:
        number = counted(len(named) - len(found), "clustering")
        print(f"warning: {printable(name)}: {number} of other queries left out: {listed(others)}", file=sys.stderr)
    return found


def common_query(first: Sequence[SubmissionDocument], second: Sequence[SubmissionDocument], names: str) -> str:
    """The query two files are compared on: the only one that both answer, or that of a file with a single clustering.

    Args:
        names: what messages call the two.

    Raises:
        InputError: both answer several queries, and not exactly one in common.
    """
    one, two = (
        list(dict.fromkeys(answer.query for submission in each for answer in submission.clusterings))
        for each in (first, second)
    )
    common = [query for query in one if query in two]
    if len(common) == 1:
        return common[0]
    if not common and 1 in (len(one), len(two)):
        return one[0] if len(one) == 1 else two[0]
    found = f"clusterings of {listed(common)} in both" if common else "no query in both"
    fix = "Say which: --query NAME." if common else ""
    raise InputError([Problem("no-common-query", names, found, "one query that both answer", fix)])
