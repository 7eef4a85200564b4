"""MathML from the formulas that measures declare as plain text with Unicode mathematics."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

# --- Tokens of the notation: numbers, names, scripts, brackets, operators ---

RANGES = {"Σ", "⋃", "⋂", "Π", "max", "min", "mean"}
"""Operators with a range, which is written below them."""
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
    """The formula is not in the notation of this module; the message gives the place."""


@dataclass(frozen=True, slots=True)
class Token:
    """One sign, number or name. ``spaced``: whether a space comes before it."""

    kind: str
    text: str
    spaced: bool

    @property
    def is_word(self) -> bool:
        return self.kind == "name" and len(self.text) > 1 and self.text not in FUNCTIONS


def tokenize(formula: str) -> list[Token]:
    """Return the formula's tokens, from left to right; raise FormulaError at an unknown sign."""
    found: list[Token] = []
    at, spaced = 0, False
    # A letter with a macron becomes the letter, then the macron.
    decomposed = "".join(unicodedata.normalize("NFD", sign) if sign.isalpha() else sign for sign in formula)
    while at < len(decomposed):
        match = _TOKENS.match(decomposed, at)
        if match is None or match.lastgroup is None:
            raise FormulaError(f"unknown sign {decomposed[at]!r}")
        if match.lastgroup == "space":
            spaced = True
        else:
            found.append(Token(match.lastgroup, match.group(), spaced))
            spaced = False
        at = match.end()
    return found


# --- Elements of MathML Core, built as a tree so that the formula's text is escaped when written ---

UPRIGHT_SCRIPTS = {"in"}
"""Scripts of two letters that are a word; other pairs of letters are two indices. Longer scripts are words."""


def atom(token: Token) -> Element:
    if token.kind == "number":
        return leaf("mn", token.text)
    if token.kind == "name":
        return leaf("mi", token.text)
    if token.text in {"Σ", "Π", "⋃", "⋂"}:
        return sign({"Σ": "∑", "Π": "∏"}.get(token.text, token.text), "prefix")
    if token.text in {"∅", "∞", "%"}:
        return leaf("mi", token.text)
    raise FormulaError(f"{token.text!r} in place of a number or a name")


def indices(token: Token) -> list[Element]:
    if token.kind == "name" and len(token.text) == 2 and token.text not in UPRIGHT_SCRIPTS:
        return [leaf("mi", letter) for letter in token.text]
    return [sign("·")] if token.text == "·" else [atom(token)]


def full_size(signs: str) -> list[Element]:
    """Return small or raised signs as full-size elements."""
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
    """Return an operator; bars need a form, which says on which side of their content they are."""
    return leaf("mo", text, **({"form": form} if form else {}))


# --- One row of a formula as MathML elements ---

THIN, WORD = "0.17em", "0.33em"


@dataclass(slots=True)
class _Operand:
    """A factor or a range: its element, the content of its brackets (None without brackets), and its source's shape."""

    element: Element
    inside: list[Element] | None = None
    is_range: bool = False
    is_word: bool = False
    spaced: bool = False


class Parser:
    """Recursive descent over the tokens of one row. Every method leaves ``self.at`` after the last token it read."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.at = 0

    @property
    def next(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def row(self, ends: Callable[[Token], bool]) -> list[Element]:
        """Read products with infix signs between them, up to a token that ends the row (which is not read)."""
        found: list[Element] = []
        while (token := self.next) is not None and not ends(token) and token.text not in CLOSING.values():
            if token.text in INFIX or self._is_given():
                self.at += 1
                tight = token.text == "−" and self.next is not None and not self.next.spaced
                found.append(sign(token.text, "prefix" if tight else "infix"))
            else:
                found += self._product(ends)
        return found

    def _product(self, ends: Callable[[Token], bool]) -> list[Element]:
        operands: list[_Operand] = []
        while (token := self.next) is not None and not self._ends_product(token, ends):
            if token.text == "/":
                self.at += 1
                self._divide(operands, ends)
            elif token.text == "·":
                self.at += 1
                operands.append(_Operand(sign("·", "infix"), is_word=True))
            else:
                operands.append(self._operand())
        return _spread(operands)

    def _ends_product(self, token: Token, ends: Callable[[Token], bool]) -> bool:
        return ends(token) or token.text in INFIX or token.text in CLOSING.values() or self._is_given()

    def _divide(self, operands: list[_Operand], ends: Callable[[Token], bool]) -> None:
        """Replace the numerator among the operands by the fraction."""
        below = [self._operand()]
        of_ranges = below[0].is_range
        while (token := self.next) is not None and not self._ends_product(token, ends) and token.text not in "/·":
            if not of_ranges and (token.spaced or token.kind not in {"name", "number"}):
                break
            below.append(self._operand())
        ranges = [number for number, operand in enumerate(operands) if operand.is_range]
        start = 0 if of_ranges or not ranges else ranges[-1] + 1
        above = operands[start:]
        if not above:
            raise FormulaError("there is no numerator before '/'")
        fraction = element("mfrac", group(_bare(above)), group(_bare(below)))
        operands[start:] = [_Operand(fraction, spaced=above[0].spaced)]

    def _operand(self) -> _Operand:
        """Read an atom with its scripts, applied to a bracket directly after it."""
        token = self._take()
        spaced = token.spaced
        is_range = token.text in RANGES
        if token.text in CLOSING or token.text in BARS:
            found = self._bracket(token)
        elif token.text == "√":
            found = _Operand(element("msqrt", *_bare([self._operand()])))
        else:
            found = _Operand(atom(token), is_word=token.is_word and token.text.islower())
        found.spaced = spaced
        if self._scripts(found, is_range):
            found.inside = None
        elif found.inside is not None and [one.tag for one in found.inside] == ["mfrac"]:
            found.element = found.inside[0]  # (1/n) needs no brackets once it is a fraction
        after = self.next
        if token.kind == "name" and after is not None and after.text == "(" and not after.spaced:
            bracket = self._bracket(self._take())
            found.element = group([found.element, bracket.element])
            found.is_word = False
            self._scripts(found, is_range=False)
        else:
            found.is_range = is_range
        return found

    def _scripts(self, operand: _Operand, is_range: bool) -> bool:
        """Add primes, macrons, small and raised signs to the operand; return whether there were any."""
        below: Element | None = None
        above: list[Element] = []
        first = self.at
        while (token := self.next) is not None and not token.spaced:
            if token.kind == "macron":
                operand.element = element("mover", operand.element, sign("¯"), accent="true")
            elif token.text == "'":
                above.append(sign("′"))
            elif token.kind == "small":
                below = group(full_size(token.text))
            elif token.kind == "raised":
                above += full_size(token.text)
            elif token.text not in {"_", "^"}:
                break
            self.at += 1
            if token.text == "_":
                below = self._script()
            elif token.text == "^":
                above.append(self._script())
        operand.element = scripted(operand.element, below, group(above) if above else None, is_range)
        return self.at > first

    def _script(self) -> Element:
        """Read a script: a bracket without its marks, or names, numbers and dots without spaces between them."""
        token = self._take()
        if token.text == "|":
            return self._bracket(token).element
        if token.text in CLOSING:
            return group(self._bracket(token).inside or [])
        found = indices(token)
        before = token
        while (after := self.next) is not None and not after.spaced and _continues(before, after):
            before = self._take()
            found += indices(before)
        return group(found)

    def _bracket(self, opened: Token) -> _Operand:
        closing = CLOSING.get(opened.text, opened.text)
        inside = self.row(lambda token: token.text == closing)
        if self.next is None or self.next.text != closing:
            raise FormulaError(f"{opened.text!r} is not closed")
        self.at += 1
        marks = [sign(mark, form) for mark, form in ((opened.text, "prefix"), (closing, "postfix"))]
        return _Operand(group([marks[0], *inside, marks[1]]), None if opened.text in "|‖" else inside)

    def _is_given(self) -> bool:
        """True if the bar here means "given", as in H(T|C): no other bar follows inside the same bracket."""
        if self.next is None or self.next.text != "|":
            return False
        depth = 0
        for token in self.tokens[self.at + 1 :]:
            depth += (token.text in CLOSING) - (token.text in CLOSING.values())
            if depth < 0:
                return True
            if not depth and token.text == "|":
                return False
        return True

    def _take(self) -> Token:
        if self.next is None:
            raise FormulaError("the formula ends too early")
        self.at += 1
        return self.tokens[self.at - 1]


def _continues(before: Token, after: Token) -> bool:
    """True if a script continues: n_c·, n_·c, p_t1."""
    return after.text == "·" or after.kind == "number" or (before.text == "·" and after.kind == "name")


def _spread(operands: Iterable[_Operand]) -> list[Element]:
    """Return the operands side by side, with space between names."""
    found: list[Element] = []
    before: _Operand | None = None
    for operand in operands:
        dots = [one.element.text == "·" for one in (before, operand) if one is not None]
        if before is not None and (operand.spaced or before.is_range) and not any(dots):
            found.append(element("mspace", width=WORD if operand.is_word or before.is_word else THIN))
        found.append(operand.element)
        before = operand
    return found


def _bare(operands: list[_Operand]) -> list[Element]:
    """Return the operands without brackets that a fraction or a root makes unnecessary."""
    if len(operands) == 1 and operands[0].inside is not None:
        return operands[0].inside
    return _spread(operands)


# --- Formulas as lines of mathematics and prose ---


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a line: prose, or mathematics as the text of a ``<math>`` element (exactly one of the two)."""

    prose: str = ""
    mathml: str = ""


Line = tuple[Piece, ...]


@lru_cache(maxsize=1024)
def lines(formula: str) -> tuple[Line, ...]:
    """Return the formula as lines of mathematics and prose.

    Raises:
        FormulaError: the formula has an unknown sign, or brackets that do not match.
    """
    try:
        return tuple(_line(clause) for clause in _clauses(tokenize(formula)))
    except FormulaError as error:
        raise FormulaError(f"{error} in the formula {formula!r}") from None


def _clauses(tokens: Sequence[Token]) -> list[list[Token]]:
    """Split after commas and semicolons that are outside brackets and before a space, without these signs."""
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
    """Return runs of words outside brackets as prose, and everything between them as one ``<math>`` each."""
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
    """Count the plain words in a row that begin here, without names that are applied, scripts or have scripts."""
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
        raise FormulaError(f"{parser.next.text!r} closes no bracket")
    root = ElementTree.Element("math", {"display": "inline", "displaystyle": "true"})
    root.extend(row)
    return Piece(mathml=ElementTree.tostring(root, encoding="unicode"))
