"""What the commands about streams share: their settings, finding a stream, and how results are told."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from typing import Any

from annotations.models import Collection, Stream
from evaluation.console import Missing, printable
from evaluation.models import StreamResult, StreamSubmission
from evaluation.selectors.latest import last_by
from evaluation.selectors.stream_results import with_medians
from evaluation.stream_settings import LAST, NAMES, TAU, K, StreamSettings
from qc4.model.query_names import QueryNames
from qc4.streams.measure import PARTS
from qc4.tables import Table, as_text
from qc4.wording import count_words, did_you_mean, listed, quoted


def add_settings(parser: ArgumentParser) -> None:
    """The options of every command that measures a stream; named as those of ``python -m qc4 stream``."""
    parser.add_argument("--last", type=int, metavar="N", help=f"the last N points count, all alike (default {LAST:,})")
    parser.add_argument("--decay", type=float, metavar="L", help="instead: a point weighs 2^(-L x age)")
    parser.add_argument("--threshold", type=float, metavar="X", help="with --decay: lighter points count no longer")
    parser.add_argument("--k", type=int, default=K, help="neighbours that connectivity looks at (default %(default)s)")
    parser.add_argument(
        "--tau", type=float, default=TAU, help="classes connected more than this are merged (default %(default)s)"
    )


def settings_from(options: Mapping[str, Any]) -> StreamSettings:
    """The settings on the command line; raises as `StreamSettings.of`."""
    return StreamSettings.of(**{name: options[name] for name in NAMES})


def stream_named(collection: Collection, key: str) -> Stream:
    """The stream of that key, or of that text if no other one has it.

    Raises:
        Missing: there is none; says which there are.
    """
    streams = {stream.key: stream for stream in collection.streams.select_related("collection")}
    found = streams.get(QueryNames({stream.key: stream.text for stream in streams.values()}).key(key))
    if found is not None:
        return found
    keys = list(streams)
    hint = did_you_mean(key, keys)
    there = f" There are: {listed(keys)}." if keys else " The collection has no stream yet (manage.py import_stream)."
    raise Missing(f"There is no stream {quoted(key)}.{hint and f' {hint}'}{there}")


def medians_table(submissions: Sequence[StreamSubmission], settings: StreamSettings) -> str:
    """Algorithm, the medians of CMM and its parts over moments, and the moments, as measured with these settings."""
    found = StreamResult.objects.filter(submission__in=submissions, settings_sha256=settings.sha256)
    latest = last_by(with_medians(found).order_by("pk"), lambda result: result.submission_id)
    rows = [["algorithm", *PARTS, "moments"]]
    for row in submissions:
        of = latest.get(row.pk)
        medians: dict[str, float] = (of.medians if of else None) or {}
        moments = "-" if of is None else count_words(of.counted, of.total) or f"{of.total:,}"
        cells = [f"{medians[part]:.4f}" if part in medians else "-" for part in PARTS]
        rows.append([printable(row.algorithm.name), *cells, moments])
    return as_text([Table(rows, range(1, len(rows[0])))])
