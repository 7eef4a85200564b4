"""One row of a formula as MathML elements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from evaluation.formula.elements import atom, element, group, indices, scripted, sign, spelled
from evaluation.formula.tokens import BARS, CLOSING, INFIX, RANGES, FormulaError, Token

THIN, WORD = "0.17em", "0.33em"


@dataclass(slots=True)
class _Operand:
    """A factor or a range: its element, what is inside its brackets (None if it has none), its source's shape."""

    element: Element
    inside: list[Element] | None = None
    is_range: bool = False
    is_word: bool = False
    spaced: bool = False


class Parser:
    """Recursive descent over the tokens of one row. Every method leaves ``self.at`` behind what it read."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.at = 0

    @property
    def next(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def row(self, ends: Callable[[Token], bool]) -> list[Element]:
        """Products with infix signs between them, up to a token that ends the row (which is left unread)."""
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
        """Take the numerator off the operands and put the fraction there."""
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
            raise FormulaError("nothing stands before '/'")
        fraction = element("mfrac", group(_bare(above)), group(_bare(below)))
        operands[start:] = [_Operand(fraction, spaced=above[0].spaced)]

    def _operand(self) -> _Operand:
        """An atom with its scripts, applied to the bracket right behind it."""
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
        """Put primes, macrons, small and raised signs around the operand; whether there were any."""
        below: Element | None = None
        above: list[Element] = []
        first = self.at
        while (token := self.next) is not None and not token.spaced:
            if token.kind == "macron":
                operand.element = element("mover", operand.element, sign("¯"), accent="true")
            elif token.text == "'":
                above.append(sign("′"))
            elif token.kind == "small":
                below = group(spelled(token.text))
            elif token.kind == "raised":
                above += spelled(token.text)
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
        """What stands small: a bracket without its marks, or names, numbers and dots without space between."""
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
        """Whether the bar here stands between, as in H(T|C): no other bar follows inside the same bracket."""
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
            raise FormulaError("something is missing at the end")
        self.at += 1
        return self.tokens[self.at - 1]


def _continues(before: Token, after: Token) -> bool:
    """Whether a script goes on: n_c·, n_·c, p_t1."""
    return after.text == "·" or after.kind == "number" or (before.text == "·" and after.kind == "name")


def _spread(operands: Iterable[_Operand]) -> list[Element]:
    """Side by side, with the space that keeps names apart."""
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
    """Without the brackets that a fraction or a root makes needless."""
    if len(operands) == 1 and operands[0].inside is not None:
        return operands[0].inside
    return _spread(operands)
