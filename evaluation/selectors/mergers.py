"""What merging one algorithm into another would do, told before it is done."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.models import Algorithm, Submission


@dataclass(frozen=True, slots=True)
class Merger:
    """What becomes of an algorithm that is merged into another one.

    Attributes:
        submissions, stream_submissions: how many move.
        counts: the submission that would be the latest.
        repeats: marks that both have: there the later submission counts.
        filled: what is said of the one and not of the other, which gets it.
        lost: what is said of both, and so goes.
    """

    submissions: int
    stream_submissions: int
    counts: Submission | None
    repeats: tuple[str, ...]
    filled: tuple[str, ...]
    lost: tuple[str, ...]


def merger(gone: Algorithm, into: Algorithm) -> Merger:
    """What `evaluation.services.algorithms.merge` would do now."""
    ordinary = Submission.objects.filter(algorithm__in=(gone, into), sweep=None).exclude(repeat="")
    marks = [set(ordinary.filter(algorithm=one).values_list("repeat", flat=True)) for one in (gone, into)]
    said = [name for name in Algorithm.ABOUT if getattr(gone, name) not in ("", None)]
    empty = {name for name in said if getattr(into, name) in ("", None)}
    words = {name: name.replace("_url", "").replace("_", " ").replace("bibtex", "BibTeX") for name in said}
    return Merger(
        submissions=gone.submissions.count(),
        stream_submissions=gone.streamsubmissions.count(),
        counts=Submission.objects.filter(algorithm__in=(gone, into), sweep=None).order_by("-pk").first(),
        repeats=tuple(sorted(marks[0] & marks[1])),
        filled=tuple(words[name] for name in said if name in empty),
        lost=tuple(words[name] for name in said if name not in empty and getattr(gone, name) != getattr(into, name)),
    )
