"""What is wrong with an input, and the words for it."""

from qc4.problems.problem import InputError, Problem, ProblemList, Severity

__all__ = ["InputError", "Problem", "ProblemList", "Severity"]
