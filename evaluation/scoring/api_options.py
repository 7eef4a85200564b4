"""Options of the API that choose the scores to show: the same as those of pages."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request

from common.api.options import Options
from common.limits import LARGEST_ID, LARGEST_VERSION
from evaluation.limits import COMPARISON_DRAWS
from evaluation.scoring.columns import CUTS
from evaluation.scoring.options import FAMILIES, MISSING_RULES, BoardOptions
from qc4.model.policies import CHOICES, MEANINGS
from qc4.stats import PROCEDURES, Method

DEFAULT = Method()
MEASURES = "Measures by key, or with parameters as in `alpha_ndcg@15`, separated by commas"


class BoardOptionsSerializer(Options):
    """Options for the scores to show, and for their comparison."""

    measures = serializers.CharField(
        default="",
        allow_blank=True,
        help_text=f"{MEASURES}; by default quality, coverage and QC4-F.",
    )
    sort = serializers.CharField(default="", allow_blank=True, help_text="The measure by which algorithms are ranked.")
    level = serializers.CharField(default="", allow_blank=True, help_text="A level's number, or `all`.")
    depth = serializers.ChoiceField(
        ["", *CUTS],
        default="",
        help_text="Depth at which nested clusterings are cut for measures of one cluster per page; by default as deep "
        "as the level.",
    )
    gold = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_VERSION,
        help_text="A gold version's number; by default the latest.",
    )
    missing = serializers.ChoiceField(
        sorted(MISSING_RULES),
        default="worst",
        help_text="How a query without a clustering counts: as the worst value, or it is omitted for every algorithm.",
    )
    query = serializers.CharField(required=False, help_text="Key of a query; repeat it for several. By default all.")
    algorithms = serializers.CharField(
        default="", allow_blank=True, help_text="Ids of algorithms separated by commas; by default all."
    )
    baseline = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_ID,
        help_text="Id of the algorithm with which all others are compared.",
    )
    family = serializers.ChoiceField(
        list(FAMILIES),
        default="all",
        help_text="; ".join(f"`{name}`: test {words}" for name, words in FAMILIES.items()),
    )
    alpha = serializers.FloatField(
        default=DEFAULT.alpha,
        help_text="Probability of at least one false significant difference; intervals have the confidence 1 - alpha.",
    )
    draws = serializers.IntegerField(
        default=DEFAULT.draws, help_text=f"Number of random sign patterns: at most {COMPARISON_DRAWS:,}."
    )
    seed = serializers.IntegerField(default=DEFAULT.seed)
    procedure = serializers.ChoiceField(PROCEDURES, default=DEFAULT.procedure, help_text="How p-values are adjusted.")
    equivalence_margin = serializers.FloatField(
        default=DEFAULT.equivalence_margin, help_text="Differences up to this size are practically equal."
    )

    def get_fields(self) -> dict[str, serializers.Field[object, object, object, object]]:
        """Add the scoring options, as the engine declares them."""
        policies = {
            name: serializers.ChoiceField(choices, default=choices[0], help_text=f"Policy: {MEANINGS[name]}.")
            for name, choices in CHOICES.items()
        }
        return {**super().get_fields(), **policies}

    @classmethod
    def choice(cls, request: Request) -> BoardOptions:
        """Read the options of a request.

        Raises:
            InputError: an option is unknown, or has an invalid value.
        """
        cls.of(request.query_params)
        return BoardOptions.read(request.query_params)

    @classmethod
    def of_one_measure(cls, request: Request) -> BoardOptions:
        """Read the options of a request that shows one measure, which ``sort`` names.

        Raises:
            InputError: as `choice`.
        """
        cls.of(request.query_params)
        return BoardOptions.of_one_measure(request.query_params)
