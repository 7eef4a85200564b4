"""API of challenges: state, rules, results and settings."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection
from annotations.collections.selectors import queries_named
from annotations.models import Challenge
from common.api.json_bodies import fields_of
from common.api.options import Options
from common.limits import KEY_CHARS
from evaluation.challenges import services as challenges
from evaluation.challenges.forms import ChallengeSettings
from evaluation.challenges.selectors import ChallengeSummary, challenge_summary
from evaluation.limits import MAX_PER_PERSON
from qc4.problems import ProblemList


class ChallengeOptions(Options):
    """What is hidden, when people can submit, and how often. An omitted option gets its default value."""

    FORM = ChallengeSettings
    HELP = {
        "hides": "The queries whose gold standard is hidden: `all`, `some` (all but `shown`), or `nothing`.",
        "per_day": "Submissions of one person per day (UTC); null for no limit.",
        "in_all": "Submissions of one person in all; null for no limit.",
    }

    shown = serializers.ListField(
        child=serializers.CharField(max_length=KEY_CHARS),
        default=list,
        help_text="Queries, by key or text, whose gold standard is shown if `hides` is `some`.",
    )
    opens_at = serializers.DateTimeField(default=None, allow_null=True, help_text="Null: open immediately.")
    closes_at = serializers.DateTimeField(
        default=None, allow_null=True, help_text="Later submissions are rejected; required for final results."
    )
    per_day = serializers.IntegerField(default=None, allow_null=True, min_value=1, max_value=MAX_PER_PERSON)
    in_all = serializers.IntegerField(default=None, allow_null=True, min_value=1, max_value=MAX_PER_PERSON)


class ChallengeView(APIView):
    """The challenge of a collection."""

    @extend_schema(operation_id="challenge", responses=ChallengeSummary, tags=["challenges"])
    def get(self, request: Request, slug: str) -> Response:
        """Return the challenge's state, rules, results, and your remaining submissions; 404 without a challenge."""
        collection = get_collection(request.user, slug)
        found = challenges.freeze_results_if_due(collection, waits=False)
        if found is None:
            raise Http404("This collection is not a challenge.")
        return Response(challenge_summary(found, request.user).to_dict())

    @extend_schema(
        operation_id="save_challenge", request=ChallengeOptions, responses=ChallengeSummary, tags=["challenges"]
    )
    def put(self, request: Request, slug: str) -> Response:
        """Make a collection a challenge, or change its settings. Needs the right to manage."""
        collection = get_collection(request.user, slug, May.MANAGE)
        chosen: dict[str, Any] = ChallengeOptions.of(fields_of(request))
        asked, problems = chosen.pop("shown"), ProblemList()
        names = asked if chosen["hides"] == Challenge.Hides.SOME else []
        shown = queries_named(collection, names, "shown", problems)
        problems.refuse_errors()
        saved = challenges.save(collection, user=person(request), shown=shown, **chosen)
        return Response(challenge_summary(saved, request.user).to_dict())

    @extend_schema(operation_id="remove_challenge", responses={204: None}, tags=["challenges"])
    def delete(self, request: Request, slug: str) -> Response:
        """Make a challenge an ordinary collection again, if nobody has submitted. Needs the right to manage."""
        challenges.remove(get_collection(request.user, slug, May.MANAGE))
        return Response(status=status.HTTP_204_NO_CONTENT)
