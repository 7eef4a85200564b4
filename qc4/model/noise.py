"""The rule for labels that mean "in no cluster", shared by the readers of files and of labels in Python."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np

from qc4.problems import InputError, Problem, ReadingChoice
from qc4.records import Record
from qc4.text import comparison_key
from qc4.wording import counted, listed, quoted, type_with_article

MINUS_SIGN = "\u2212"
MISSING_NAMES = frozenset({"", "nan", "-nan", "<na>", "#n/a"})
"""The spellings that programs use for a missing label, in lower case. A missing label is never a cluster."""
NOISE_WORDS = frozenset({"na", "n/a", "none", "null", "noise", "outlier", "outliers"})
"""Words for noise, in lower case. Each of them may also be the name of a real cluster."""
USUAL = "-1, an empty cell, NaN, NA, N/A, None, null, noise, outlier, outliers and BERTopic's -1_…"
"""The labels that the usual rule reads as noise, for help texts."""
NOISE_STARTS = frozenset("-nNoO")
"""The first characters of labels that the usual rule reads as noise, to skip nearly all others quickly."""
IN_NO_CLUSTER = "They count as pages in no cluster."
_WHOLE = re.compile(r"([+-]?)(0|[1-9][0-9]*)(?:\.0*)?")
_PADDED_NOISE = re.compile(r"-0*1(?:[.,]0*)?")
"""-1 with leading zeros, or with a decimal comma as spreadsheets write it in many languages."""
_EXPONENT = re.compile(r"[+-]?[0-9](?:\.[0-9]*)?e[+-][0-9]{2,3}", re.IGNORECASE)
"""A number as C's %e writes it, which is also the default of `numpy.savetxt`."""
_LARGEST = 1e22
"""Whole floats below this size print as integers; larger ones keep their exponent."""
_NUMBERED_TOPIC = re.compile(r"-?[0-9]+_.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NoiseLabel(Record):
    """A label that was read as "in no cluster", as written, and its number of pages."""

    label: str
    pages: int


def label_key(label: Any) -> Hashable | None:
    """Return the comparison key of a label, which is the same for a text and a number; None for a missing label.

    Surrounding white space, a minus sign (U+2212) instead of a hyphen, and decimals of a whole number are ignored:
    ``1``, ``1.0``, ``"1"`` and ``"1.00"`` are one label. Keys of texts and numbers are texts; other values are their
    own key. Texts that are not numbers keep their Unicode form.
    """
    if type(label) is int:  # there may be very many of these
        return str(label)
    if isinstance(label, bytes):
        label = label.decode("utf-8", "surrogateescape")
    if isinstance(label, str):
        return _key_of_text(label)
    if isinstance(label, bool | np.bool_):
        return str(bool(label))
    if isinstance(label, Integral):
        return str(int(label))
    if isinstance(label, float | np.floating):
        return _key_of_float(float(label))
    if is_missing(label):
        return None
    if isinstance(label, Fraction | Decimal) and abs(float(label)) < _LARGEST and label == int(label):
        return str(int(label))
    kept: Hashable = label
    return kept


def is_missing(label: Any) -> bool:
    """True for None, NaN, NaT, pandas' NA and masked values."""
    if label is None or label is np.ma.masked:
        return True
    try:
        return bool(label != label)
    except TypeError:  # comparing pandas' NA gives neither true nor false
        return True
    except ValueError:  # an array, which is reported later, when labels are hashed
        return False


def is_usual_noise(key: Hashable | None) -> bool:
    """True if the usual rule reads a label with this key as "in no cluster".

    Args:
        key: what `label_key` returns for the label.
    """
    if not isinstance(key, str):
        return key is None
    key = comparison_key(key)
    if key[:1] not in NOISE_STARTS:
        return False
    return key == "-1" or key.startswith("-1_") or key.casefold() in NOISE_WORDS


def is_numbered(text: str) -> bool:
    """True for a whole number, a BERTopic name such as ``0_apple``, and noise."""
    key = _key_of_text(text)
    return key is None or bool(_WHOLE.fullmatch(key) or _NUMBERED_TOPIC.fullmatch(key)) or is_usual_noise(key)


@dataclass(frozen=True, slots=True)
class NoiseRule:
    """The rule for labels that mean "in no cluster".

    Attributes:
        keys: the keys of these labels; None for the usual rule.
    """

    keys: frozenset[Hashable] | None = None

    @classmethod
    def of(cls, noise: Any = None) -> NoiseRule:
        """Return the rule for the caller's argument.

        Args:
            noise: one label, or a list of labels that replace the usual ones; ``[]`` if every label is a cluster;
                None for the usual rule. A missing label (None, NaN, an empty cell) is always in no cluster.

        Raises:
            InputError: something that cannot be a label.
        """
        if noise is None:
            return USUAL_NOISE
        if isinstance(noise, NoiseRule):
            return noise
        if isinstance(noise, np.ndarray):
            noise = noise.tolist()
        given = list(noise) if isinstance(noise, list | tuple | set | frozenset) else [noise]
        keys = [label_key(label) for label in given]
        for label, key in zip(given, keys, strict=True):
            if not _is_hashable(key):
                expected = "a label such as -1, a list of labels, or None for the usual ones"
                raise InputError([Problem("bad-noise", "noise", type_with_article(label), expected)])
        return cls(frozenset(_without_form(key) for key in keys if key is not None))

    @property
    def is_usual(self) -> bool:
        return self.keys is None

    def holds(self, key: Hashable | None) -> bool:
        """True if a label with this key means "in no cluster"."""
        if key is None:
            return True
        return is_usual_noise(key) if self.keys is None else _without_form(key) in self.keys

    def unmatched(self, noise: Iterable[NoiseLabel]) -> list[str]:
        """Return the labels that the caller named as noise but no page has. Usual noise labels are not reported.

        Args:
            noise: the labels that were read as noise by this rule.
        """
        found = {_without_form(label_key(each.label)) for each in noise}
        return sorted(str(key) for key in (self.keys or frozenset()) - found if not is_usual_noise(key))


USUAL_NOISE = NoiseRule()


def noise_option(text: str) -> list[Any] | None:
    """Return the noise labels that a user typed into a form, a URL or a command.

    Args:
        text: labels separated by commas, or a JSON list (``[]`` if every label is a cluster); empty for the usual rule.

    Raises:
        InputError: a text that begins like a JSON list but is not one; a list with items that are neither texts nor
            numbers; commas without labels.
    """
    text = text.strip()
    if not text:
        return None
    found: Any = None
    if not text.startswith("["):
        found = [part.strip() for part in text.split(",") if part.strip()] or None
    else:
        with suppress(ValueError, RecursionError):
            found = json.loads(text)
    if isinstance(found, list) and all(isinstance(each, str | int | float) for each in found):
        return found
    fix = 'Separate labels by commas, or write a JSON list such as ["-1", "None"].'
    raise InputError([Problem("bad-noise", "noise", quoted(text), "a list of labels", fix)])


def noise_text(labels: Iterable[Any]) -> str:
    """Format labels so that `noise_option` can read them."""
    return json.dumps(list(labels), ensure_ascii=False)


def missing_name(label: Any) -> str:
    """Return the name of a missing label: "NaN", "None", or its printed form."""
    return "NaN" if isinstance(label, float | np.floating) else str(label)


def describe_noise(noise: Sequence[NoiseLabel], noun: str = "page") -> str:
    """Return the noise labels in words: "the label '-1' on 2 pages and no label on 1 page"."""
    parts = [f"{_named(each.label)} on {counted(each.pages, noun)}" for each in noise]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def cluster_reading_choice(noise: Sequence[NoiseLabel]) -> ReadingChoice | None:
    """Return the choice to read words for noise as names of clusters; None if there are no such words.

    Args:
        noise: the labels that were read as noise by the usual rule.
    """
    words = [each for each in noise if _may_be_name(each.label)]
    if not words:
        return None
    others = [each.label for each in noise if not _may_be_name(each.label) and label_key(each.label) is not None]
    effect = f"Read {' and '.join(quoted(each.label) for each in words)} as a cluster"
    return ReadingChoice("noise", noise_text(others), effect)


def noise_warnings(noise: Sequence[NoiseLabel], where: str) -> Iterator[Problem]:
    """Warn about missing labels, and about words for noise that may be names of clusters.

    Other labels of noise, such as -1, need no warning: the summary of the clustering names them.

    Args:
        noise: the labels that were read as noise by the usual rule.
    """
    missing = [each for each in noise if label_key(each.label) is None]
    if missing:
        yield Problem("no-label", where, describe_noise(missing), "a label for every page", IN_NO_CLUSTER, "warning")
    if choice := cluster_reading_choice(noise):
        words = [each for each in noise if _may_be_name(each.label)]
        found, expected = describe_noise(words), "the name of a cluster, or a word for noise"
        fix = "It was read as noise: pages in no cluster."
        yield Problem("noise-word", where, found, expected, fix, "warning", choice=choice)


def unmatched_warnings(labels: Sequence[str], where: str) -> Iterator[Problem]:
    """Warn about labels that the caller named as noise and that no page has.

    Args:
        labels: what `NoiseRule.unmatched` returns.
    """
    if labels:
        what = "the noise label" if len(labels) == 1 else "the noise labels"
        found, fix = f"{what} {listed(labels)}, which no page has", "Check the spelling: case matters."
        yield Problem("unmatched-noise", where, found, "labels of pages", fix, "warning")


def _may_be_name(label: str) -> bool:
    return comparison_key(label).strip().casefold() in NOISE_WORDS


def _without_form(key: Hashable | None) -> Hashable | None:
    return comparison_key(key) if isinstance(key, str) else key


def _named(label: str) -> str:
    return f"the label {quoted(label)}" if label else "no label"


def _key_of_text(text: str) -> str | None:
    plain = text = text.strip()
    if not text.isascii():
        plain = comparison_key(text).strip()
        if plain.startswith(MINUS_SIGN) and plain[1:2].isdigit():
            plain = text = "-" + plain[1:]
    if plain.casefold() in MISSING_NAMES:
        return None
    if whole := _WHOLE.fullmatch(plain):
        sign, digits = whole.groups()
        return f"-{digits}" if sign == "-" and digits != "0" else digits
    if _PADDED_NOISE.fullmatch(plain):
        return "-1"
    return _key_of_float(float(plain)) if _EXPONENT.fullmatch(plain) else text


def _key_of_float(value: float) -> str | None:
    if math.isnan(value):
        return None
    return str(int(value)) if abs(value) < _LARGEST and value.is_integer() else repr(value)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
