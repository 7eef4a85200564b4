"""A comparison as SVG, for a paper or for a page: the first picture is the default."""

from collections.abc import Callable, Mapping

from qc4.comparison.pictures.canvas import STYLES, Style
from qc4.comparison.pictures.critical_difference import critical_difference_picture
from qc4.comparison.pictures.differences import differences_picture
from qc4.comparison.pictures.discriminative_power import discriminative_power_picture
from qc4.comparison.pictures.forest import forest_picture
from qc4.comparison.pictures.matrix import matrix_picture
from qc4.comparison.pictures.measures import measures_picture
from qc4.comparison.pictures.robustness import robustness_picture
from qc4.comparison.pictures.shares import shares_picture
from qc4.comparison.pictures.slope import slope_picture
from qc4.comparison.result import Comparison

PICTURES: Mapping[str, Callable[[Comparison, Style, str], str]] = {
    "forest": forest_picture,
    "matrix": matrix_picture,
    "discriminative-power": discriminative_power_picture,
    "critical-difference": critical_difference_picture,
}
"""Pictures of a comparison by name, in the order in which they help: of it, in a style, with a word for a system."""

__all__ = [
    "PICTURES",
    "STYLES",
    "Style",
    "critical_difference_picture",
    "differences_picture",
    "discriminative_power_picture",
    "forest_picture",
    "matrix_picture",
    "measures_picture",
    "robustness_picture",
    "shares_picture",
    "slope_picture",
]
