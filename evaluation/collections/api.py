"""The collections one may see, and new ones from a file."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.collections.api import CollectionRow
from annotations.collections.forms import FindCollections
from annotations.collections.selectors import found_collections
from annotations.limits import NAME_CHARS
from annotations.models import Collection
from common.api.pagination import ListOptions, paged
from common.api.schema import listing
from common.api.throttles import PER_UPLOAD
from common.api.uploads import FILE_PARSERS, FileOptions, file_request, received
from evaluation.imports import services as imports
from evaluation.imports.forms import ImportCollection
from evaluation.runs.api import answer
from evaluation.runs.serializers import RunDetail
from evaluation.uploads import services as uploads
from qc4.io.kinds import GOLDS


class ImportOptions(FileOptions):
    """How a collection is imported."""

    FORM = ImportCollection
    HELP = {
        "completion": "What happens to pages in no topic: `strict` refuses, `complete` places them by a named rule.",
        "split_levels": "A separator such as `>` that splits subtopic names into levels.",
        "html_entities": "What happens to HTML entities in names, titles, URLs and texts: `auto` decodes them once in "
        "the AMBIENT layout and otherwise keeps them and warns, `keep`, `once` and `twice` say so for any format.",
        "public": "Whether everybody may read it.",
        "participation": "Who may submit where it is public: `members`, who `request`s and is accepted, `anybody`.",
    }

    # Not required of query string and form each, but of both together.
    name = serializers.CharField(
        default="", max_length=NAME_CHARS, help_text="What the collection is called; always needed."
    )


class CollectionFilter(ListOptions):
    """Which collections to list."""

    FORM = FindCollections
    HELP = {
        "q": "Words that stand in the name, the description or a query.",
        "show": "`mine` are those in which you have a role.",
        "language": "A language tag: `pt` finds `pt-BR`, too.",
        "size": "`small` has up to 20 queries, `medium` up to 100.",
    }


class CollectionsView(APIView):
    """All collections."""

    parser_classes = FILE_PARSERS
    throttle_classes = PER_UPLOAD

    @listing("collections", CollectionRow, "collections", options=CollectionFilter)
    def get(self, request: Request) -> Response:
        """Public collections and those you are a member of, by name."""
        rows = found_collections(request.user, CollectionFilter.of(request.query_params))
        return paged(rows.select_related("created_by"), CollectionRow, request)

    @extend_schema(
        operation_id="import_collection",
        parameters=[ImportOptions],
        request=file_request(ImportOptions, "A collection in any format, and how it is imported."),
        responses={202: RunDetail},
        tags=["collections"],
    )
    def post(self, request: Request) -> Response:
        """Import a collection from a file in any collection format. You become its owner.

        The answer is a run: follow it until it has ended; its `collection` is then the new collection. With a bare
        body the options stand in the query string, with a form among its fields.
        """
        user = person(request)
        file = received(request, ImportOptions)
        with uploads.kept(uploads.store(file.source, file.name, user, GOLDS)) as upload:
            run = imports.enqueue(
                upload=upload,
                name=file.options["name"],
                completion=file.options["completion"],
                split_levels=file.options.get("split_levels"),
                html_entities=file.options["html_entities"],
                public=file.options["public"],
                description=file.options.get("description", ""),
                participation=file.options["participation"],
                face={key: file.options[key] for key in Collection.FACE if key in file.options},
                user=user,
            )
        return answer(run, request, status.HTTP_202_ACCEPTED)
