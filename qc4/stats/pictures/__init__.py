"""SVG charts of a comparison for a paper or a page. The first chart is the default."""

from collections.abc import Callable, Mapping

from qc4.charts import STYLES, Style
from qc4.stats.pictures.against import against_picture
from qc4.stats.pictures.behind import behind_picture
from qc4.stats.pictures.differences import differences_picture
from qc4.stats.pictures.discriminative_power import discriminative_power_picture
from qc4.stats.pictures.matrix import matrix_picture
from qc4.stats.pictures.measures import measures_picture
from qc4.stats.pictures.robustness import robustness_picture
from qc4.stats.pictures.shares import shares_picture
from qc4.stats.pictures.slope import slope_picture
from qc4.stats.results import Comparison

PICTURES: Mapping[str, Callable[[Comparison, Style, str], str]] = {
    "behind": behind_picture,
    "matrix": matrix_picture,
    "against": against_picture,
    "discriminative-power": discriminative_power_picture,
}
"""Charts of a comparison by name, the most useful first. They take a comparison, a style and the word for a system."""

__all__ = [
    "PICTURES",
    "STYLES",
    "Style",
    "against_picture",
    "behind_picture",
    "differences_picture",
    "discriminative_power_picture",
    "matrix_picture",
    "measures_picture",
    "robustness_picture",
    "shares_picture",
    "slope_picture",
]
