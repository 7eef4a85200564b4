"""Formulas as lines: where one ends, and which words are prose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from xml.etree import ElementTree

from evaluation.formula.parser import Parser
from evaluation.formula.tokens import CLOSING, FormulaError, Token, tokenize


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a line: prose, or mathematics as the text of a ``<math>`` element (exactly one of the two)."""

    prose: str = ""
    mathml: str = ""


Line = tuple[Piece, ...]


@lru_cache(maxsize=1024)
def lines(formula: str) -> tuple[Line, ...]:
    """The formula as lines of mathematics and prose.

    Raises:
        FormulaError: a sign this notation does not know, or brackets that do not fit.
    """
    try:
        return tuple(_line(clause) for clause in _clauses(tokenize(formula)))
    except FormulaError as error:
        raise FormulaError(f"{error} in the formula {formula!r}") from None


def _clauses(tokens: Sequence[Token]) -> list[list[Token]]:
    """Split after commas and semicolons followed by space, outside brackets; the sign goes away."""
    found: list[list[Token]] = [[]]
    depth = 0
    for number, token in enumerate(tokens):
        depth += (token.text in CLOSING) - (token.text in CLOSING.values())
        following = tokens[number + 1] if number + 1 < len(tokens) else None
        if not depth and token.text in {",", ";"} and following is not None and following.spaced:
            found.append([])
        else:
            found[-1].append(token)
    return [clause for clause in found if clause]


def _line(tokens: Sequence[Token]) -> Line:
    """Runs of words outside brackets as prose, everything between as one ``<math>`` each."""
    pieces: list[Piece] = []
    start = at = depth = 0
    while at < len(tokens):
        run = 0 if depth else _words(tokens, at)
        if run < 2:
            depth += (tokens[at].text in CLOSING) - (tokens[at].text in CLOSING.values())
            at += 1
            continue
        pieces += [_math(tokens[start:at]), Piece(" ".join(token.text for token in tokens[at : at + run]))]
        start = at = at + run
    return tuple(piece for piece in (*pieces, _math(tokens[start:])) if piece.prose or piece.mathml)


def _words(tokens: Sequence[Token], start: int) -> int:
    """How many plain words in a row begin here; names that are applied, are scripts or have scripts are none."""
    if start and tokens[start - 1].text in {"_", "^"}:
        return 0
    at = start
    while at < len(tokens) and tokens[at].is_word and not tokens[at].text.isupper():
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        if after is not None and not after.spaced and after.text in {"(", "_", "^"}:
            break
        at += 1
    return at - start


def _math(tokens: Sequence[Token]) -> Piece:
    if not tokens:
        return Piece()
    parser = Parser(tokens)
    row = parser.row(lambda token: False)
    if parser.next is not None:
        raise FormulaError(f"{parser.next.text!r} closes nothing")
    root = ElementTree.Element("math", {"display": "inline", "displaystyle": "true"})
    root.extend(row)
    return Piece(mathml=ElementTree.tostring(root, encoding="unicode"))
