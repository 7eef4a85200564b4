"""Look at a submission before it is taken: every problem at once, and what each query's answer looks like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from accounts.models import User
from annotations.collections.selectors import page_lists
from annotations.models import Collection
from common.file_reading import read_sent
from evaluation.services import challenges
from evaluation.services.algorithms import visible_name_problems
from evaluation.services.reports import Report, read_report
from qc4.io.source import FileSource
from qc4.problems import InputError, Problem


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
