"""The series of a stream as records, for files and the API."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.person import Person
from annotations.models import Stream
from evaluation.models import StreamResult, StreamSubmission
from evaluation.selectors.stream_results import series_of
from qc4.records import Record
from qc4.streams.series import Moment


@dataclass(frozen=True, slots=True)
class SubmissionSeries(Record):
    """One submission over time."""

    KEYS = (
        "submission=submission.pk algorithm=submission.algorithm.name baseline=submission.algorithm.baseline "
        "engine=result.engine medians moments"
    )

    submission: StreamSubmission
    result: StreamResult
    moments: list[Moment]

    @property
    def medians(self) -> dict[str, float]:
        return self.result.medians or {}


@dataclass(frozen=True, slots=True)
class StreamSeries(Record):
    """Everything measured with one choice of settings, the best CMM first."""

    stream: str
    sha256: str
    settings: dict[str, float]
    series: list[SubmissionSeries]


def stream_series(stream: Stream, person: Person, wanted: str = "") -> StreamSeries:
    """The series of a stream; raises as `series_of`."""
    settings, found = series_of(stream, person, wanted)
    return StreamSeries(stream.key, stream.sha256, settings.to_dict(), [SubmissionSeries(*each) for each in found])
