"""The form of options on every comparison page: its fields, and the URL parameters that it carries along."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from django.http import QueryDict

from accounts.person import Person
from annotations.access import May, capabilities
from evaluation.models import Algorithm
from evaluation.problems import problems_to_json
from evaluation.ranking.board import Board
from evaluation.ranking.leaderboard import Selection
from evaluation.scoring.columns import DEFAULT_MEASURES, DEPTHS, FINEST
from evaluation.scoring.options import BoardOptions, url_query
from evaluation.scoring.selectors import count_unscored, has_scores_on_vectors
from qc4.measures.registry import REGISTRY, Family, Measure, Need
from qc4.model.policies import CHOICES, Policies
from qc4.problems import InputError
from qc4.scoring.scoring import FROM_FILES, WITH_VECTORS, computable_measures
from qc4.stats import PROCEDURE_NAMES, PROCEDURES
from qc4.wording import clipped
from work.answers import Pending

# --- Presets: named sets of measures, the paper's own and one per family ---


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of measures."""

    key: str
    title: str
    measures: tuple[str, ...]


def offered_measures(given: Set[Need] = FROM_FILES) -> tuple[tuple[Family, tuple[Measure, ...]], ...]:
    """Return families with the measures that evaluation runs can compute from the given inputs."""
    return REGISTRY.by_family(computable_measures(given))


def presets(given: Set[Need] = FROM_FILES) -> tuple[Preset, ...]:
    """Return the presets in the order of the menu, without families that have no measures."""
    fixed = (
        Preset("overview", "QC4: quality and coverage", DEFAULT_MEASURES),
        Preset("paper", "QC4: AQ WQ AC WC", ("aq", "wq", "ac", "wc", "qc4")),
    )
    families = (
        Preset(family.key, family.title, tuple(measure.key for measure in measures))
        for family, measures in offered_measures(given)
        if family.key != "qc4"
    )
    return (*fixed, *families)


def preset_of(keys: Sequence[str], given: Set[Need] = FROM_FILES) -> Preset | None:
    """Return the preset that has exactly these measures."""
    return next((preset for preset in presets(given) if set(preset.measures) == set(keys)), None)


BoardOrSelection = Board | Selection
LONGEST_NAME = 50
MISSING_WORDS = {"worst": "counts as the worst value", "skip": "is excluded"}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a select field."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form: a select or a number.

    Attributes:
        groups: (title, options) of a select; a group with an empty title is shown without a heading.
        value, least, most: value and limits of a number.
        id: id of the HTML element.
    """

    name: str
    label: str
    groups: tuple[tuple[str, tuple[Option, ...]], ...] = ()
    value: float | None = None
    least: float = 0.0
    most: float | None = None
    id: str = ""


@dataclass(frozen=True, slots=True)
class MeasureMenu:
    """A menu of measures to tick, and presets as (preset, URL); ``others`` are keys written in the text field."""

    families: tuple[tuple[Family, tuple[Measure, ...]], ...]
    chosen: frozenset[str]
    others: str
    presets: tuple[tuple[Preset, str], ...]
    preset: Preset | None


@dataclass(frozen=True, slots=True)
class AlgorithmTicks:
    """Algorithms to tick, sorted by name; at most `most` of them can be ticked."""

    everybody: tuple[Algorithm, ...]
    chosen: frozenset[int]
    most: int


@dataclass(frozen=True, slots=True)
class Chooser:
    """Contents of the form that `templates/boards/options.html` shows.

    Attributes:
        policies: the chosen scoring options, whose menu is part of every form.
        kept: (name, value) of options that were chosen elsewhere, as hidden fields.
    """

    policies: Policies
    fields: tuple[Field, ...]
    kept: tuple[tuple[str, str], ...]
    measures: MeasureMenu | None = None
    ticks: AlgorithmTicks | None = None


def chooser(
    choice: BoardOptions, *fields: Field, measures: MeasureMenu | None = None, ticks: AlgorithmTicks | None = None
) -> Chooser:
    """Return a form with these fields; all other options are carried along as hidden fields."""
    own = {*(field.name for field in fields), *CHOICES}
    own |= {"measures"} if measures else set()
    own |= {"algorithms"} if ticks else set()
    # The family belongs to the chosen algorithms, so it is dropped when others can be chosen.
    own |= {"family"} if "algorithms" in own else set()
    kept = (
        (name, value) for name, values in choice.parameters().items() if name not in own for value in values if value
    )
    return Chooser(choice.policies, fields, tuple(kept), measures, ticks)


def select_field(name: str, label: str, words: Mapping[str, str], chosen: str, *, element: str = "") -> Field:
    """Return a select; ``words`` maps each value to its label."""
    options = tuple(Option(value, said, value == chosen) for value, said in words.items())
    return Field(name, label, (("", options),), id=element or name)


def measure(found: BoardOrSelection) -> Field:
    """Return the field for the measure that ranks."""
    groups = (
        (
            family.title,
            tuple(Option(one.key, f"{one.title} {one.arrow}", one.key == found.sort.key) for one in measures),
        )
        for family, measures in (*_offered_measures(found), *REGISTRY.by_family(_unlisted_measures(found)))
    )
    return Field("sort", "Measure", tuple(groups), id="sort")


def measure_menu(found: BoardOrSelection, choice: BoardOptions) -> MeasureMenu:
    """Return the menu of measures; the URLs of its presets keep the other options of `choice`."""
    given = _available_inputs(found)
    keys = [column.key for column in found.columns]
    sets = tuple((one, url_query(choice, measures=one.measures, sort="")) for one in presets(given))
    others = ", ".join(one.key for one in _unlisted_measures(found))
    return MeasureMenu(offered_measures(given), frozenset(keys), others, sets, preset_of(keys, given))


def places(found: BoardOrSelection, own: str = "each measure's own") -> tuple[Field, ...]:
    """Return the fields for the level and, if clusterings are nested or a depth is chosen, the depth.

    Args:
        own: label of the measures' default level.
    """
    words = {one: "all levels" if one == "all" else f"level {one}" for one in found.levels}
    level, chosen = select_field("level", "Level", {"": own} | words, found.choice.level), found.choice.depth
    depths = [one for one in DEPTHS if int(one) < found.deepest or one == chosen]
    if not depths and chosen != FINEST:
        return (level,)
    cuts = {"": "as deep as the level", FINEST: "finest"} | {one: f"depth {one}" for one in depths}
    return level, select_field("depth", "Cut of nested clusters", cuts, chosen)


def gold(found: BoardOrSelection) -> Field:
    """Return the field for the gold version."""
    latest = found.latest_version.number if found.latest_version else None
    numbers = found.collection.gold_versions.values_list("number", flat=True)
    words = {f"{one}": f"v{one}{' (latest)' if one == latest else ''}" for one in numbers}
    return select_field("gold", "Gold", words or {"": "none yet"}, f"{found.version.number}" if found.version else "")


def missing(found: BoardOrSelection) -> Field:
    """Return the field for how a query without a clustering counts."""
    return select_field("missing", "A query without a clustering", MISSING_WORDS, found.choice.missing)


def baseline(found: BoardOrSelection) -> Field:
    """Return the field for the algorithm that all others are compared with."""
    names = {
        f"{one.pk}": clipped(one.name, LONGEST_NAME) for one in found.algorithms.values() if one.baseline != "gold"
    }
    chosen = "" if found.choice.baseline is None else f"{found.choice.baseline}"
    return select_field("baseline", "Compared with", {"": "each other"} | names, chosen)


def procedure(choice: BoardOptions) -> Field:
    words: dict[str, str] = {name: PROCEDURE_NAMES[name] for name in PROCEDURES}
    return select_field("procedure", "p adjusted by", words, choice.method.procedure)


def method(choice: BoardOptions) -> tuple[Field, ...]:
    """Return the fields for the test; draws, seed and procedures without intervals can be set only in the URL."""
    return (
        Field("alpha", "alpha", value=choice.method.alpha, least=0.0001, most=0.5, id="alpha"),
        Field("equivalence_margin", "Practically equal up to", value=choice.method.equivalence_margin, id="margin"),
    )


def family(choice: BoardOptions) -> tuple[Field, ...]:
    """Return the field for which pairs are tested together; none unless two or more algorithms are chosen."""
    if len(choice.algorithms) < 2:
        return ()
    # For two algorithms, "shown" means this pair; the value stays valid if the user ticks others next.
    alone = "this pair alone" if len(set(choice.algorithms)) == 2 else "every pair of these"
    words = {"all": "every pair of the leaderboard", "shown": alone}
    return (select_field("family", "Tested together", words, "all" if choice.family == "all" else "shown"),)


def pair(everybody: Iterable[Algorithm], chosen: Sequence[int]) -> tuple[Field, ...]:
    """Return the fields for two algorithms to compare."""
    names = {f"{one.pk}": clipped(one.name, LONGEST_NAME) for one in by_name(everybody)}
    sides = (("Algorithm", "the leader"), ("against", "the second"))
    return tuple(
        select_field(
            "algorithms",
            label,
            {"": none} | names,
            f"{chosen[place]}" if len(chosen) > place else "",
            element=f"algorithm-{place + 1}",
        )
        for place, (label, none) in enumerate(sides)
    )


def by_name(algorithms: Iterable[Algorithm]) -> tuple[Algorithm, ...]:
    return tuple(sorted(algorithms, key=lambda one: one.name.casefold()))


def scoring(person: Person, found: BoardOrSelection, page: str) -> dict[str, object]:
    """Return the context of `templates/boards/unscored.html`: submissions without scores under these scoring options.

    Args:
        page: URL name of the page to return to.
    """
    others = _unlisted_measures(found)
    keys = [one.key for one in others]
    left = count_unscored(found.collection, found.version, found.choice.policies, person, keys)
    choice = replace(found.choice, gold=found.version.number if found.version else None)
    return {
        "left": left.unscored,
        "waiting": left.waiting,
        "others": others,
        "version": found.version,
        "policies": found.choice.policies,
        "is_default": found.choice.policies == Policies(),
        "may_score": May.COMPUTE in capabilities(person, found.collection),
        "address": url_query(choice),
        "page": page,
    }


def _unlisted_measures(found: BoardOrSelection) -> tuple[Measure, ...]:
    """Return the shown measures that are not in the catalogue: measures with parameters given by the user."""
    return tuple(column.measure for column in found.columns if not REGISTRY.is_listed(column.key))


def _available_inputs(found: BoardOrSelection) -> Set[Need]:
    return WITH_VECTORS if has_scores_on_vectors(found.collection) else FROM_FILES


def _offered_measures(found: BoardOrSelection) -> tuple[tuple[Family, tuple[Measure, ...]], ...]:
    return offered_measures(_available_inputs(found))


# --- Options in URLs ---

ResultT = TypeVar("ResultT")


def read_or_default(read: Callable[[QueryDict], ResultT], given: QueryDict) -> tuple[ResultT, list[dict[str, Any]]]:
    """Return the result for URL parameters and no problems; if they are invalid, the default result and the problems.

    Args:
        read: a function that returns the result for URL parameters.
    """
    try:
        return _available_result(read, given), []
    except InputError as error:
        return _available_result(read, QueryDict()), problems_to_json(error.problems)


def _available_result(read: Callable[[QueryDict], ResultT], given: QueryDict) -> ResultT:
    """Return the result, or the part that is available while the rest is being computed."""
    try:
        return read(given)
    except Pending as pending:
        if pending.meanwhile is None:
            raise
        return cast("ResultT", pending.meanwhile)


def spelled_out(found: Board | Selection) -> BoardOptions:
    """Return the options with every default replaced by its actual value, so that the URL never changes its meaning."""
    return replace(
        found.choice,
        measures=tuple(column.key for column in found.columns),
        sort=found.sort.key,
        gold=found.version.number if found.version else None,
    )
