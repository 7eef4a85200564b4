"""Formulas as MathML: the formula of every measure is converted, and each notation has its meaning."""

from __future__ import annotations

import re
import unicodedata
from xml.etree import ElementTree

import pytest

from evaluation.measures.formulas import FormulaError, lines
from qc4.measures.registry import REGISTRY

MATHML_CORE = {
    "math",
    "mrow",
    "mi",
    "mn",
    "mo",
    "mspace",
    "mfrac",
    "msqrt",
    "msub",
    "msup",
    "msubsup",
    "munder",
    "mover",
}
ARGUMENTS = {"mfrac": 2, "msub": 2, "msup": 2, "msubsup": 3, "munder": 2, "mover": 2}


def shown(formula: str) -> str:
    """Return the only line of a formula as nested words: tags around their content, and plain signs."""
    (line,) = lines(formula)
    return " ".join(piece.prose or _nested(ElementTree.fromstring(piece.mathml)) for piece in line)


def _nested(element: ElementTree.Element) -> str:
    inside = " ".join(part for child in element if (part := _nested(child)))
    if element.tag in {"math", "mrow"}:
        return inside if element.tag == "math" else f"[{inside}]"
    return f"{element.tag}({inside})" if len(element) else element.text or ""


@pytest.mark.parametrize("measure", REGISTRY.all(), ids=lambda measure: measure.key)
def test_every_formula_is_converted_to_mathml_core(measure):
    pieces = [piece for line in lines(measure.formula) for piece in line]
    assert pieces
    for piece in pieces:
        assert bool(piece.prose) != bool(piece.mathml)
        for element in ElementTree.fromstring(piece.mathml).iter() if piece.mathml else ():
            assert element.tag in MATHML_CORE
            assert "style" not in element.attrib
            assert len(element) == ARGUMENTS.get(element.tag, len(element)), element.tag


@pytest.mark.parametrize("measure", REGISTRY.all(), ids=lambda measure: measure.key)
def test_no_name_or_number_in_a_formula_is_lost(measure):
    def signs(text: str) -> str:
        return "".join(sorted(re.sub(r"[^A-Za-z0-9Α-ω]", "", text.replace("Σ", ""))))

    whole = "".join(
        piece.prose or "".join(ElementTree.fromstring(piece.mathml).itertext())
        for line in lines(measure.formula)
        for piece in line
    )
    assert signs(unicodedata.normalize("NFKC", whole)) == signs(unicodedata.normalize("NFKC", measure.formula))


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("TP / (TP + FP)", "mfrac(TP [TP + FP])"),
        ("a / b + c", "mfrac(a b) + c"),
        ("2 a / b", "mfrac([2 a] b)"),
        ("(a + b) c / d", "mfrac([[( a + b )] c] d)"),
        ("x / 2n", "mfrac(x [2 n])"),
        ("I(T;C) / √(H(T) H(C))", "mfrac([I [( T ; C )]] msqrt([H [( T )]] [H [( C )]]))"),
    ],
)
def test_slash_makes_a_fraction_of_its_neighbours(formula, expected):
    assert shown(formula) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("mean_c a / b", "munder(mean c) mfrac(a b)"),
        ("Σ_c a / Σ_c b", "mfrac([munder(∑ c) a] [munder(∑ c) b])"),
        ("min_i x / max_i y", "mfrac([munder(min i) x] [munder(max i) y])"),
        ("Σ_(i ≤ 5) x", "munder(∑ [i ≤ 5]) x"),
    ],
)
def test_fraction_is_inside_a_sum_unless_the_divisor_is_a_sum(formula, expected):
    assert shown(formula) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("n_tc", "msub(n [t c])"),
        ("n_c·", "msub(n [c ·])"),
        ("n_·c", "msub(n [· c])"),
        ("W_in", "msub(W in)"),
        ("μᵢ²", "msubsup(μ i 2)"),
        ("x̄", "mover(x ¯)"),
        ("d'", "msup(d ′)"),
        ("e^(r l)", "msup(e [r l])"),
    ],
)
def test_scripts(formula, expected):
    assert shown(formula) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("H(T|C)", "[H [( T | C )]]"),
        ("|D_c||D|", "[| msub(D c) |] [| D |]"),
        ("P(|a| | b)", "[P [( [| a |] | b )]]"),
    ],
)
def test_bars_mean_size_or_given(formula, expected):
    assert shown(formula) == expected


def test_lines_break_outside_brackets_and_runs_of_words_are_prose():
    first, second = lines("f(a, b) / c, c the largest class")
    assert [piece.prose for piece in first] == [""]
    assert [piece.prose for piece in second] == ["", "the largest class"]


def test_markup_characters_are_escaped():
    (line,) = lines("a < b")
    assert "&lt;" in line[0].mathml


@pytest.mark.parametrize("formula", ["a & b", "f(a", "a)", "a /", "/ b", "√", "n_", '"x"'])
def test_unknown_notation_is_rejected(formula):
    with pytest.raises(FormulaError, match="in the formula"):
        lines(formula)
