"""Elements of MathML Core. They are built as a tree, so that whatever a formula holds is escaped when written."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from evaluation.formula.tokens import FormulaError, Token

UPRIGHT_SCRIPTS = {"in"}
"""Scripts of two letters that are a word; others are two indices. Longer ones are words."""


def atom(token: Token) -> Element:
    if token.kind == "number":
        return leaf("mn", token.text)
    if token.kind == "name":
        return leaf("mi", token.text)
    if token.text in {"Σ", "Π", "⋃", "⋂"}:
        return sign({"Σ": "∑", "Π": "∏"}.get(token.text, token.text), "prefix")
    if token.text in {"∅", "∞", "%"}:
        return leaf("mi", token.text)
    raise FormulaError(f"{token.text!r} stands where a number or a name should")


def indices(token: Token) -> list[Element]:
    if token.kind == "name" and len(token.text) == 2 and token.text not in UPRIGHT_SCRIPTS:
        return [leaf("mi", letter) for letter in token.text]
    return [sign("·")] if token.text == "·" else [atom(token)]


def spelled(signs: str) -> list[Element]:
    """Small or raised signs as full ones."""
    plain = unicodedata.normalize("NFKC", signs)
    return [leaf("mn" if sign.isdigit() else "mi" if sign.isalpha() else "mo", sign) for sign in plain]


def scripted(base: Element, below: Element | None, above: Element | None, is_range: bool) -> Element:
    if below is not None and is_range:
        base = element("munder", base, below)
        below = None
    if below is not None and above is not None:
        return element("msubsup", base, below, above)
    if below is not None:
        return element("msub", base, below)
    return base if above is None else element("msup", base, above)


def group(elements: Sequence[Element]) -> Element:
    return elements[0] if len(elements) == 1 else element("mrow", *elements)


def element(tag: str, *children: Element, **attributes: str) -> Element:
    found = Element(tag, attributes)
    found.extend(children)
    return found


def leaf(tag: str, text: str, **attributes: str) -> Element:
    found = Element(tag, attributes)
    found.text = text
    return found


def sign(text: str, form: str = "") -> Element:
    """An operator; bars need to be told which side they stand on."""
    return leaf("mo", text, **({"form": form} if form else {}))
