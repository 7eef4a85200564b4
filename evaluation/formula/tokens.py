"""The signs of the notation: numbers, names, scripts, brackets, operators."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

RANGES = {"Σ", "⋃", "⋂", "Π", "max", "min", "mean"}
"""What runs over something: its subscript stands below it."""
FUNCTIONS = {"ln", "log", "exp"}
INFIX = set("=≤≥≠∈∉∩∪∖⊂⊃⊆<>:,;+−…")
CLOSING = {"(": ")", "[": "]", "{": "}"}
BARS = {"|", "‖"}
_SMALL = "₀₁₂₃₄₅₆₇₈₉₊₋ₐₑᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵃᵇᶜᵈᵉᵏˢᵗ"
_MACRON = "\u0304"
_TOKENS = re.compile(
    r"(?P<space>\s+)|(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z]+(?:-[A-Za-z]+)*(?:'s)?|[Α-ΡΤ-Ωα-ω])"
    rf"|(?P<macron>{_MACRON})|(?P<small>[{_SMALL}]+)|(?P<raised>[{_RAISED}]+)"
    r"|(?P<sign>[ΣΠ⋃⋂√∅∞%'_^/·=≤≥≠∈∉∩∪∖⊂⊃⊆<>:,;+−…|‖()\[\]{}])"
)


class FormulaError(ValueError):
    """The formula is not in the notation of this module; the message says where."""


@dataclass(frozen=True, slots=True)
class Token:
    """One sign, number or name. ``spaced``: whether space comes before it."""

    kind: str
    text: str
    spaced: bool

    @property
    def is_word(self) -> bool:
        return self.kind == "name" and len(self.text) > 1 and self.text not in FUNCTIONS


def tokenize(formula: str) -> list[Token]:
    """The formula's tokens, from left to right; FormulaError at a sign that the notation does not know."""
    found: list[Token] = []
    at, spaced = 0, False
    # A letter with a macron becomes the letter, then the macron.
    decomposed = "".join(unicodedata.normalize("NFD", sign) if sign.isalpha() else sign for sign in formula)
    while at < len(decomposed):
        match = _TOKENS.match(decomposed, at)
        if match is None or match.lastgroup is None:
            raise FormulaError(f"the sign {decomposed[at]!r} has no meaning")
        if match.lastgroup == "space":
            spaced = True
        else:
            found.append(Token(match.lastgroup, match.group(), spaced))
            spaced = False
        at = match.end()
    return found
