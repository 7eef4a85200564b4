"""Options of pages that show scores. They are read from and written to URLs, and not stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from django.http import QueryDict

from common.limits import LARGEST_ID
from common.parameters import Parameters, last_value, parse_number
from evaluation.limits import COMPARISON_DRAWS
from evaluation.scoring.columns import DEFAULT_MEASURES
from qc4.measures.parameters import split_measures
from qc4.measures.registry import REGISTRY
from qc4.model.policies import CHOICES, Policies
from qc4.problems import InputError, ProblemList
from qc4.stats import Method
from qc4.stats.scores import Missing
from qc4.wording import counted, quoted

TestedFamily = Literal["all", "shown", "pair"]
FAMILIES: dict[TestedFamily, str] = {
    "all": "every pair of the leaderboard, including algorithms that are not shown",
    "shown": "every pair of the algorithms that are shown",
    "pair": "only the two algorithms that are shown",
}
"""The pairs that are tested together; with a baseline, only those pairs that include it. The first is the default."""
MISSING_RULES: dict[Missing, str] = {
    "worst": "counts as the worst value of the measure (or is omitted, if the measure has none)",
    "skip": "is omitted for every algorithm",
}
METHOD: dict[str, Callable[[str], Any]] = {
    "alpha": float, "draws": int, "seed": int, "procedure": str, "equivalence_margin": float,
}  # fmt: skip
"""Options of the method in URLs, and the functions that parse them."""


@dataclass(frozen=True, slots=True)
class BoardOptions:
    """What is shown, and how it is compared. URLs omit fields that have their default.

    Attributes:
        measures: keys; empty means quality, coverage and qc4_f.
        sort: key of the column by which algorithms rank; by default qc4_f if shown, else the last column.
        reverse: show the worst first (ranks are unchanged).
        level, depth: see `evaluation.scoring.columns.columns`.
        gold: number of the gold version, None for the latest.
        missing: how a query without a clustering counts.
        queries: keys of the chosen queries; empty means all.
        algorithms: ids of the chosen algorithms; empty means all.
        baseline: id of the algorithm with which all others are compared; None compares every pair.
        family: the pairs that are tested together; a key of `FAMILIES`.
        policies: scoring options of the evaluations.
        method: options of the comparison.
    """

    measures: tuple[str, ...] = ()
    sort: str = ""
    reverse: bool = False
    level: str = ""
    depth: str = ""
    gold: int | None = None
    missing: Missing = "worst"
    queries: tuple[str, ...] = ()
    algorithms: tuple[int, ...] = ()
    baseline: int | None = None
    family: TestedFamily = "all"
    policies: Policies = field(default_factory=Policies)
    method: Method = field(default_factory=Method)

    @classmethod
    def read(cls, parameters: Parameters) -> BoardOptions:
        """Read the options of a URL; empty parameters count as omitted.

        Raises:
            InputError: a number, rule or option is invalid; lists all problems. Names of measures, queries and
                algorithms are not checked here.
        """
        problems = ProblemList()
        texts = (one for text in parameters.getlist("measures") for one in split_measures(text))
        keys = tuple(dict.fromkeys(map(REGISTRY.key_of, texts)))
        sort = REGISTRY.key_of(last_value(parameters, "sort"))
        missing = last_value(parameters, "missing") or "worst"
        if missing not in MISSING_RULES:
            problems.error("unknown-rule", "missing", repr(missing), f"one of {', '.join(MISSING_RULES)}")
        found = cls(
            measures=keys,
            sort="" if keys and sort not in keys and REGISTRY.knows(sort) else sort,  # its measure was just deselected
            reverse=last_value(parameters, "order") == "reverse",
            level=last_value(parameters, "level"),
            depth=last_value(parameters, "depth"),
            gold=_id(last_value(parameters, "gold"), "gold", problems, "unknown-gold-version"),
            missing="skip" if missing == "skip" else "worst",
            queries=tuple(key for key in parameters.getlist("query") if key),
            algorithms=tuple(
                number
                for text in _listed(parameters, "algorithms")
                if (number := _id(text, "algorithms", problems, "unknown-algorithm")) is not None
            ),
            baseline=_id(last_value(parameters, "baseline"), "baseline", problems, "unknown-algorithm"),
        )
        given = {name: last_value(parameters, name) for name in CHOICES}
        policies = _checked(problems, lambda: Policies.parse({name: one for name, one in given.items() if one}))
        options = {name: _option(name, text, problems) for name in METHOD if (text := last_value(parameters, name))}
        family = _family(parameters, found.algorithms, problems)
        method = _checked(problems, lambda: Method(**{name: one for name, one in options.items() if one is not None}))
        if method is not None and method.draws > COMPARISON_DRAWS:
            problems.error(
                "too-many",
                "draws",
                f"{method.draws:,}",
                f"at most {COMPARISON_DRAWS:,} on the site",
                "The command line allows more: download the scores.",
            )
        problems.refuse_errors()
        baseline = None if family == "pair" else found.baseline
        found = replace(found, family=family, baseline=baseline)
        return replace(found, policies=policies or Policies(), method=method or Method())

    @classmethod
    def of_one_measure(cls, parameters: Parameters) -> BoardOptions:
        """As `read`, for pages that show one measure: ``sort`` names it, and the leaderboard need not have it.

        Raises:
            InputError: as `read`.
        """
        found = cls.read(parameters)
        sort, shown = REGISTRY.key_of(last_value(parameters, "sort")), found.measures or DEFAULT_MEASURES
        if not REGISTRY.knows(sort) or sort in shown:
            return found
        return replace(found, measures=(*shown, sort), sort=sort)

    def parameters(self) -> dict[str, list[str]]:
        """Return the parameters of a URL: name -> values, without defaults."""
        found: dict[str, list[str]] = {
            "measures": [",".join(self.measures)],
            "sort": [self.sort],
            "order": ["reverse" if self.reverse else ""],
            "level": [self.level],
            "depth": [self.depth],
            "gold": ["" if self.gold is None else str(self.gold)],
            "missing": [self.missing if self.missing != "worst" else ""],
            "query": list(self.queries),
            "algorithms": [",".join(map(str, self.algorithms))],
            "baseline": ["" if self.baseline is None else str(self.baseline)],
            "family": [self.family if self.family != "all" else ""],
        }
        for part, default, names in ((self.policies, Policies(), CHOICES), (self.method, Method(), METHOD)):
            for name in names:
                value = getattr(part, name)
                found[name] = ["" if value == getattr(default, name) else f"{value}"]
        return {name: values for name, values in found.items() if any(values)}


def _family(parameters: Parameters, algorithms: Sequence[int], problems: ProblemList) -> TestedFamily:
    """Return the family that a URL names; two chosen algorithms are a pair."""
    asked = last_value(parameters, "family") or "all"
    found = next((name for name in FAMILIES if name == asked), None)
    if found is None:
        problems.error("unknown-choice", "family", repr(asked[:40]), f"one of {', '.join(FAMILIES)}")
        return "all"
    n = len(set(algorithms))
    if found == "pair" and n != 2:
        expected = "exactly two algorithms in `algorithms`"
        problems.error("no-pair", "family", f"pair with {counted(n, 'algorithm')}", expected)
        return "all"
    if found == "shown" and n < 2:
        return "all"
    return "pair" if found == "shown" and n == 2 else found


def _listed(parameters: Parameters, name: str) -> Iterable[str]:
    """Return values given one by one or separated by commas."""
    return [one for text in parameters.getlist(name) for part in text.split(",") if (one := part.strip())]


def _id(text: str, name: str, problems: ProblemList, code: str) -> int | None:
    if not text:
        return None
    number = parse_number(text, len(str(LARGEST_ID)))
    if number is not None and number <= LARGEST_ID:
        return number
    expected = "the number of a gold version" if name == "gold" else "the id of an algorithm"
    problems.error(code, name, quoted(text, 40), expected)
    return None


def _option(name: str, text: str, problems: ProblemList) -> Any:
    try:
        return METHOD[name](text)
    except ValueError:
        problems.error(
            "out-of-range", name, quoted(text, 40), "a number" if METHOD[name] is float else "a whole number"
        )
        return None


Made = TypeVar("Made")


def _checked(problems: ProblemList, make: Callable[[], Made]) -> Made | None:
    """Return the result of ``make``, or None with its problems added to ``problems``."""
    try:
        return make()
    except InputError as error:
        problems.extend(error.problems)
        return None


def url_query(choice: BoardOptions, **changes: Any) -> str:
    """Return the query string of a URL: these options with some fields changed."""
    query = QueryDict(mutable=True)
    for name, values in replace(choice, **changes).parameters().items():
        query.setlist(name, values)
    return "?" + query.urlencode(safe=",")
