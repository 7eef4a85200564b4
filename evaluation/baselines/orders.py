"""Baselines with parameters as people write them: ``kmeans:k=8:restarts=3``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.baselines.catalogue import BASELINES, Baseline
from evaluation.baselines.task import Parameter, resolve
from evaluation.limits import BASELINE_SPEC_CHARS
from qc4.problems import InputError, Problem, ProblemList
from qc4.wording import did_you_mean


@dataclass(frozen=True, slots=True)
class BaselineSpec:
    """A baseline to run, with its parameters.

    Attributes:
        changed: the parameters that differ from the defaults, in the order in which the baseline declares them.
    """

    baseline: Baseline
    changed: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def parse(cls, text: str) -> BaselineSpec:
        """Read a baseline's key and any of its parameters: ``key:name=value:name=value``.

        Raises:
            InputError: the baseline or a parameter is unknown, or a value is out of range; lists all problems.
        """
        key, *parts = text.strip().split(":")
        if len(text) > BASELINE_SPEC_CHARS:
            raise InputError(
                [Problem("too-long", "baseline", f"{len(text)} characters", f"at most {BASELINE_SPEC_CHARS}")]
            )
        baseline = BASELINES.get(key)
        if baseline is None:
            fix = did_you_mean(key, BASELINES)
            raise InputError(
                [Problem("unknown-baseline", "baseline", repr(key), f"one of {', '.join(BASELINES)}", fix)]
            )
        return cls.of(baseline, _given(baseline, parts))

    @classmethod
    def of(cls, baseline: Baseline, given: Mapping[str, Any]) -> BaselineSpec:
        """Make an order from parameter values; values equal to the default are dropped.

        Raises:
            InputError: a parameter is unknown or a value is out of range.
        """
        values = resolve(baseline.parameters, given, f"baseline {baseline.key}")
        return cls(baseline, tuple((key, value) for key, value in values.items() if value != baseline.defaults[key]))

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of all parameters, including defaults."""
        return {**self.baseline.defaults, **dict(self.changed)}

    @property
    def settings(self) -> str:
        """The parameters that differ from the defaults, as written: ``k=8:restarts=3``."""
        return ":".join(f"{key}={value}" for key, value in self.changed)

    @property
    def written(self) -> str:
        return ":".join([self.baseline.key, self.settings]) if self.changed else self.baseline.key

    @property
    def title(self) -> str:
        """The algorithm's name, such as "K-means (snippets), k = 8"."""
        return ", ".join([self.baseline.title, *(f"{key} = {value}" for key, value in self.changed)])


def parse_specs(texts: Sequence[str], problems: ProblemList) -> list[BaselineSpec]:
    """Read baselines as people write them, each once; append errors to ``problems``."""
    found: dict[str, BaselineSpec] = {}
    for text in texts:
        try:
            order = BaselineSpec.parse(text)
        except InputError as error:
            problems.extend(error.problems)
        else:
            found.setdefault(order.written, order)
    return list(found.values())


def _given(baseline: Baseline, parts: Sequence[str]) -> dict[str, Any]:
    """Read names and values. A value that is not a number stays text, which `resolve` rejects."""
    problems, given = ProblemList(), dict[str, Any]()
    known = {parameter.key: parameter for parameter in baseline.parameters}
    for part in parts:
        name, sign, text = (word.strip() for word in part.partition("="))
        if not sign or not name:
            where = f"baseline {baseline.key}"
            problems.error("unknown-parameter", where, repr(part), "name=value", f"For example: {baseline.key}:k=8.")
        elif name in given:
            problems.error("twice", f"baseline {baseline.key}, parameter {name!r}", "two values", "one value")
        else:
            given[name] = _read(known[name], text) if name in known else text
    problems.refuse_errors()
    return given


def _read(parameter: Parameter, text: str) -> int | float | str:
    if parameter.choices:
        return text
    try:
        return int(text) if text.isascii() and text.isdigit() else float(text)
    except ValueError:
        return text
