"""Streams of a collection: the list, and what the submissions of one are measured with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Count, QuerySet

from accounts.person import Person
from annotations.models import Stream
from evaluation.access import visible_stream_submissions
from evaluation.models import Algorithm, StreamResult, StreamSubmission
from evaluation.stream_settings import StreamSettings
from qc4.problems import InputError, Problem

SHORT_HASH = 12
STREAMS_PER_PAGE = 50


def with_submissions(streams: Sequence[Stream], person: Person) -> list[tuple[Stream, int]]:
    """Pair each of these streams (already checked) with the number of submissions that this person sees."""
    seen = visible_stream_submissions(person, *streams).order_by()
    number_of = dict(seen.values_list("stream").annotate(Count("pk")))
    return [(stream, number_of.get(stream.pk, 0)) for stream in streams]


def submissions_of(stream: Stream, person: Person) -> list[StreamSubmission]:
    """The submissions of a stream (already checked) that this person sees, the latest first."""
    rows: QuerySet[StreamSubmission] = visible_stream_submissions(person, stream)
    about = (f"algorithm__{name}" for name in (*Algorithm.ABOUT, "look"))
    return list(rows.select_related("algorithm").defer("parameters", *about).order_by("-pk"))


def known_settings(submissions: Sequence[StreamSubmission]) -> dict[str, StreamSettings]:
    """Short hash -> settings that some of these are measured with; those of most submissions first, then the latest."""
    found = StreamResult.objects.filter(submission__in=[row.pk for row in submissions], medians__isnull=False)
    used: dict[str, tuple[set[int], int, StreamSettings]] = {}
    for pk, submission, sha256, stored in found.values_list("pk", "submission_id", "settings_sha256", "settings"):
        who, latest, settings = used.get(sha256, (set(), 0, None))
        used[sha256] = (who | {submission}, max(latest, pk), settings or StreamSettings.parse(stored))
    ordered = sorted(used.items(), key=lambda item: (-len(item[1][0]), -item[1][1]))
    return {sha256[:SHORT_HASH]: settings for sha256, (_, _, settings) in ordered}


def usual_settings(stream: Stream, person: Person) -> StreamSettings:
    """What most submissions this person sees are measured with; the default where there are none."""
    return chosen_settings(known_settings(submissions_of(stream, person)), "")


def chosen_settings(known: Mapping[str, StreamSettings], wanted: str) -> StreamSettings:
    """The known ones whose short hash is wanted; those of most submissions where none is.

    Raises:
        InputError: nothing is measured with them.
    """
    if not wanted:
        return next(iter(known.values()), StreamSettings())
    if wanted not in known:
        expected = f"one of {', '.join(known)}" if known else "nothing: no submission is measured yet"
        raise InputError([Problem("unknown-choice", "settings", repr(wanted), expected)])
    return known[wanted]
