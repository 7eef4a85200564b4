"""API of algorithms: list, describe, rename, choose the effective submission, merge, delete."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from annotations.limits import MEASURE_CHARS
from common.api.fields import Answer, Person
from common.api.json_bodies import fields_of
from common.api.options import Options
from common.api.pagination import paged
from common.api.schema import listing
from common.limits import LARGEST_ID
from evaluation.access import (
    get_algorithm,
    may_delete_algorithm,
    own_algorithm,
    visible_algorithms,
    visible_submissions,
)
from evaluation.algorithms import services as algorithms
from evaluation.algorithms.forms import EditAlgorithm
from evaluation.algorithms.selectors import same_in_other_collections
from evaluation.deletion.selectors import plan_algorithm_deletion
from evaluation.deletion.services import delete_algorithm, require_deletable
from evaluation.limits import ALGORITHM_CHARS
from evaluation.models import Algorithm
from qc4.problems import InputError, Problem

TAG = ["algorithms"]


class AlgorithmRow(Answer[Algorithm]):
    """An algorithm in a list, with its description and the rule for its effective submission."""

    collection = serializers.CharField(source="collection.slug")
    created_by = Person(allow_null=True)

    class Meta:
        model = Algorithm
        fields: tuple[str, ...] = (
            "id",
            "collection",
            "name",
            "baseline",
            "settings",
            "created_by",
            "created_at",
            *Algorithm.ABOUT,
            "counts",
            "counts_by",
        )


class AlgorithmDetail(AlgorithmRow):
    """An algorithm; ``pinned`` is null if you cannot see the pinned submission."""

    pinned = serializers.SerializerMethodField()
    former_names = serializers.SerializerMethodField()
    submissions = serializers.SerializerMethodField(help_text="Ids of the submissions that you can see, latest first.")
    elsewhere = serializers.SerializerMethodField(
        help_text="Ids of the same algorithm in other collections that you can see."
    )

    class Meta(AlgorithmRow.Meta):
        fields = (*AlgorithmRow.Meta.fields, "pinned", "former_names", "submissions", "elsewhere")

    def get_pinned(self, algorithm: Algorithm) -> int | None:
        seen = visible_submissions(self.context["person"], algorithm.collection)
        return algorithm.pinned_id if seen.filter(pk__in=[algorithm.pinned_id]).exists() else None

    def get_former_names(self, algorithm: Algorithm) -> list[str]:
        return list(algorithm.former_names.values_list("name", flat=True))

    def get_submissions(self, algorithm: Algorithm) -> list[int]:
        seen = visible_submissions(self.context["person"], algorithm.collection).filter(algorithm=algorithm)
        return list(seen.order_by("-pk").values_list("pk", flat=True))

    def get_elsewhere(self, algorithm: Algorithm) -> list[int]:
        return list(
            same_in_other_collections(algorithm, self.context["person"]).order_by("pk").values_list("pk", flat=True)
        )


class AlgorithmChanges(Options):
    """Changes of an algorithm; omitted fields are unchanged."""

    FORM = EditAlgorithm
    name = serializers.CharField(required=False, max_length=ALGORITHM_CHARS, help_text="The old name keeps working.")
    seconds_per_query = serializers.FloatField(required=False, allow_null=True, min_value=0)
    cost_per_1000 = serializers.FloatField(
        required=False, allow_null=True, min_value=0, help_text="US dollars per 1,000 queries."
    )
    counts = serializers.ChoiceField(
        required=False, choices=Algorithm.Counts.choices, help_text="The rule for the submission that counts."
    )
    counts_by = serializers.CharField(
        required=False, max_length=MEASURE_CHARS, help_text="With `best`: the key of the measure."
    )
    pinned = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_ID, help_text="With `pinned`: the submission's id."
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields without defaults, so that omitted ones are unchanged."""
        found = super().get_fields()
        for name, field in found.items():
            if name in EditAlgorithm.base_fields:
                field.default, field.required = serializers.empty, False
        return found


class Into(Options):
    """The target of a merge."""

    into = serializers.IntegerField(min_value=1, max_value=LARGEST_ID, help_text="The other algorithm's id.")


class AlgorithmsView(APIView):
    """The algorithms of a collection."""

    @listing("algorithms", AlgorithmRow, "algorithms")
    def get(self, request: Request, slug: str) -> Response:
        """List the algorithms with a submission that you can see, by name."""
        rows = visible_algorithms(request.user, get_collection(request.user, slug))
        return paged(rows.select_related("collection", "created_by").order_by("name", "pk"), AlgorithmRow, request)


class AlgorithmView(APIView):
    """One algorithm."""

    @extend_schema(operation_id="algorithm", responses=AlgorithmDetail, tags=TAG)
    def get(self, request: Request, pk: int) -> Response:
        """Return an algorithm: description, rule, submissions. An id from before a merge works too."""
        return _detail(request, get_algorithm(request.user, pk))

    @extend_schema(operation_id="change_algorithm", request=AlgorithmChanges, responses=AlgorithmDetail, tags=TAG)
    def patch(self, request: Request, pk: int) -> Response:
        """Describe or rename an algorithm, or choose its effective submission; for its creator and collection owners.

        `counts` is `latest`, `best` (with `counts_by`, a measure's key) or `pinned` (with `pinned`, a submission's id).
        """
        found = own_algorithm(request.user, get_algorithm(request.user, pk))
        given = AlgorithmChanges.of(fields_of(request))
        about = {name: given[name] for name in Algorithm.ABOUT if name in given}
        with transaction.atomic():
            algorithms.change(found, about, given.get("name", found.name))
            if {"counts", "counts_by", "pinned"} & set(given):
                seen = visible_submissions(request.user, found.collection)
                pinned = seen.filter(pk__in=[given.get("pinned", found.pinned_id)]).first()
                algorithms.set_rule(
                    found, given.get("counts", found.counts), given.get("counts_by", found.counts_by), pinned
                )
        return _detail(request, found)

    @extend_schema(operation_id="delete_algorithm", responses={204: None}, tags=TAG)
    def delete(self, request: Request, pk: int) -> Response:
        """Delete an algorithm with all its submissions and their scores.

        Only the owners of the collection can do this, and the creator if all submissions are their own. 400 while a
        worker is writing for one.
        """
        found = get_algorithm(request.user, pk)
        if not may_delete_algorithm(request.user, found):
            raise PermissionDenied(
                "Only owners of the collection can delete this algorithm, or its creator if all submissions are theirs."
            )
        require_deletable(plan_algorithm_deletion(found))
        delete_algorithm(found)
        return Response(status=status.HTTP_204_NO_CONTENT)


class MergeView(APIView):
    """Merge an algorithm."""

    @extend_schema(operation_id="merge_algorithm", request=Into, responses=AlgorithmDetail, tags=TAG)
    def post(self, request: Request, pk: int) -> Response:
        """Merge an algorithm into another, which gets its submissions, name and URL. You cannot undo this."""
        gone = own_algorithm(request.user, get_algorithm(request.user, pk))
        wanted = Into.of(fields_of(request))["into"]
        rows = visible_algorithms(request.user, gone.collection).select_related("collection")
        into = rows.filter(pk=wanted).first()
        if into is None:
            expected = "the id of another algorithm of this collection"
            raise InputError([Problem("unknown-algorithm", "into", str(wanted), expected)])
        algorithms.merge(gone, own_algorithm(request.user, into))
        return _detail(request, get_algorithm(request.user, into.pk))


def _detail(request: Request, found: Algorithm) -> Response:
    return Response(AlgorithmDetail(found, context={"person": request.user}).data)
