"""What is wrong with an input, and the words for it."""

from qc4.problems.problem import BySeverity, InputError, Problem, ProblemList, Severity

__all__ = ["BySeverity", "InputError", "Problem", "ProblemList", "Severity"]
