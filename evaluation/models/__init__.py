"""Models of the evaluation app."""

from evaluation.models.algorithms import Algorithm, FormerName
from evaluation.models.announcements import Announced
from evaluation.models.challenges import CountedSubmission
from evaluation.models.columns import RunColumn
from evaluation.models.runs import Run, RunEvent, RunQuery
from evaluation.models.scores import Evaluation, Score
from evaluation.models.streams import StreamMoment, StreamResult, StreamSubmission, StreamSubmissionFile
from evaluation.models.submissions import AnySubmission, Clustering, ClusteringFile, Submission, SubmissionReport
from evaluation.models.uploads import Upload

__all__ = [
    "Algorithm",
    "Announced",
    "AnySubmission",
    "Clustering",
    "ClusteringFile",
    "CountedSubmission",
    "Evaluation",
    "FormerName",
    "Run",
    "RunColumn",
    "RunEvent",
    "RunQuery",
    "Score",
    "StreamMoment",
    "StreamResult",
    "StreamSubmission",
    "StreamSubmissionFile",
    "Submission",
    "SubmissionReport",
    "Upload",
]
