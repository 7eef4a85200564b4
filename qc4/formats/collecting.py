"""Collecting the problems of a whole file without letting a hostile file fill the memory with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.problem import MOST_OF_A_KIND


class FileProblems(ProblemList):
    """A `ProblemList` that keeps the first problems of each kind and counts the rest.

    A file of 5,000 wrong lines is refused with 200 of them and "4,800 more of this kind". Readers go no further once
    it is `full`, so that a million wrong lines cost no more than 10,000.

    Args:
        already: problems noted before, to which these will be added.
    """

    def __init__(self, already: ProblemList | None = None) -> None:
        super().__init__()
        self._counts: Counter[str] = Counter()
        self._n_errors = already._n_errors if already is not None else 0

    def error(self, code: str, where: str, found: str, expected: str, fix: str = "") -> None:
        self.extend([Problem(code, where, found, expected, fix)])

    def warn(self, code: str, where: str, found: str, expected: str, fix: str = "") -> None:
        self.extend([Problem(code, where, found, expected, fix, "warning")])

    def extend(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self._counts[problem.code] += 1
            if self._counts[problem.code] <= MOST_OF_A_KIND:
                super().extend([problem])
            elif problem.severity == "error":
                self._n_errors += 1

    def absorb(self, others: FileProblems, container: str) -> None:
        """Take over the problems of a part, and how many it did not keep."""
        kept = Counter(problem.code for problem in others)
        self.extend(problem.within(container) for problem in others)
        self._counts.update(others._counts - kept)
        self._n_errors = max(self._n_errors, others._n_errors)

    def refuse_errors(self, container: str = "") -> None:
        """Raise `InputError` with the errors kept and, for each kind, how many more there are.

        Args:
            container: the file's name, put before every place if given.
        """
        errors = self.errors
        if not errors:
            return
        named = [problem.within(container) if container else problem for problem in errors]
        more = [
            Problem(code, container or "input", f"{count - MOST_OF_A_KIND:,} more of this kind{self._stopped}", "none")
            for code, count in self._counts.items()
            if count > MOST_OF_A_KIND and any(problem.code == code for problem in errors)
        ]
        raise InputError([*named, *more])

    @property
    def _stopped(self) -> str:
        return "; what follows was not looked at" if self.full else ""


@contextmanager
def named(problems: ProblemList, container: str) -> Iterator[FileProblems]:
    """Problems noted inside the block go to ``problems`` with the file's name, or the line's, before their places."""
    own = FileProblems(problems)
    try:
        yield own
    finally:
        if isinstance(problems, FileProblems):
            problems.absorb(own, container)
        else:
            problems.extend(problem.within(container) for problem in own)
