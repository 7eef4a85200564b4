"""Find the requested clusterings in submission files."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from qc4.model.clustering import Clustering, SubmissionDocument
from qc4.model.gold_standard import GoldStandard
from qc4.model.query_names import QueryNames
from qc4.problems import InputError, Problem
from qc4.wording import counted, listed, printable, quoted


def clustering_of_query(query: str, submissions: Sequence[SubmissionDocument], name: str) -> Clustering:
    """Return the one clustering of a query in a file. ``name`` is the file's name in messages.

    If a file has only one clustering, it is returned whatever query it names. The code that measures it reports a wrong
    query.

    Raises:
        InputError: the file has only other queries, or clusterings by several algorithms.
    """
    found = [(submission.algorithm, answer) for submission in submissions for answer in submission.clusterings]
    if len(found) == 1:
        return found[0][1]
    matching = [(algorithm, answer) for algorithm, answer in found if answer.query == query]
    if len(matching) == 1:
        return matching[0][1]
    if matching:
        what = f"clusterings by several algorithms: {listed([algorithm for algorithm, _ in matching])}"
        expected, fix = "clusterings by one algorithm", "Make one file per algorithm."
    else:
        what = f"clusterings of {listed([answer.query for _, answer in found])}" if found else "no clustering"
        expected, fix = f"a clustering of query {quoted(query)}", ""
    raise InputError([Problem("no-such-answer", name, what, expected, fix)])


def clusterings_of_query(gold: GoldStandard, clusterings: Iterable[Clustering], name: str) -> list[Clustering]:
    """Return all clusterings of the gold standard's query in a file. Omitted clusterings are reported on standard
    error.

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
        raise InputError([Problem("no-such-answer", name, what, f"clusterings of query {names.told(gold.query_id)}")])
    if others:
        number = counted(len(named) - len(found), "clustering")
        print(f"warning: {printable(name)}: {number} of other queries omitted: {listed(others)}", file=sys.stderr)
    return found


def common_query(first: Sequence[SubmissionDocument], second: Sequence[SubmissionDocument], names: str) -> str:
    """Return the query on which two files are compared: the only one that both have, or that of a file with one
    clustering.

    Args:
        names: names of the two files in messages.

    Raises:
        InputError: the files do not have exactly one query in common, and neither has a single clustering.
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
    fix = "Name the query: --query NAME." if common else ""
    raise InputError([Problem("no-common-query", names, found, "exactly one query in both", fix)])
