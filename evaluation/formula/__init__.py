"""Declared formulas as MathML: from the plain text with Unicode mathematics that measures declare.

The notation: ``/`` makes a fraction, ``_`` and ``^`` (or Unicode's small letters) scripts, ``√`` a root; one name right
before a bracket is applied to it. A fraction stands inside the sums, means and extremes to its left, unless what it is
divided by begins with one itself: ``mean_c a / b`` is a mean of fractions, ``Σ_c a / Σ_c b`` a fraction of sums. At the
top, ``, `` and ``; `` end a line, and two or more words in a row are prose.

MathML Core has no line breaks, hence the lines, which pages may put below each other and scroll one by one.
"""

from evaluation.formula.lines import Line, Piece, lines
from evaluation.formula.tokens import FormulaError

__all__ = ["FormulaError", "Line", "Piece", "lines"]
