"""Named sets of measures for the picker of a board: the paper's own view, and one per family."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from evaluation.selectors.columns import DEFAULT_MEASURES
from qc4.measures.registry import REGISTRY, Family, Measure, Need
from qc4.scoring.scoring import FROM_FILES, computable


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of measures under one name."""

    key: str
    title: str
    measures: tuple[str, ...]


def offered(given: Set[Need] = FROM_FILES) -> tuple[tuple[Family, tuple[Measure, ...]], ...]:
    """Families with the measures that evaluation runs compute: those that need nothing but what is given."""
    return REGISTRY.by_family(computable(given))


def presets(given: Set[Need] = FROM_FILES) -> tuple[Preset, ...]:
    """In the order people look for them; a family that has no measures yet is not offered."""
    fixed = (
        Preset("overview", "QC4: quality and coverage", DEFAULT_MEASURES),
        Preset("paper", "QC4: AQ WQ AC WC", ("aq", "wq", "ac", "wc", "qc4")),
    )
    families = (
        Preset(family.key, family.title, tuple(measure.key for measure in measures))
        for family, measures in offered(given)
        if family.key != "qc4"
    )
    return (*fixed, *families)


def preset_of(keys: Sequence[str], given: Set[Need] = FROM_FILES) -> Preset | None:
    """The preset that shows exactly these measures."""
    return next((preset for preset in presets(given) if set(preset.measures) == set(keys)), None)
