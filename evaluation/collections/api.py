"""List the collections a user can see, and import new ones from a file."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.collections.api import CollectionRow
from annotations.collections.forms import CollectionFilterForm
from annotations.collections.selectors import found_collections
from annotations.limits import NAME_CHARS
from annotations.models import Collection
from common.api.pagination import ListOptions, paged
from common.api.schema import listing
from common.api.throttles import PER_UPLOAD
from common.api.uploads import FILE_PARSERS, FileOptions, file_request, received
from evaluation.imports import services as imports
from evaluation.imports.forms import ImportCollection
from evaluation.runs.api import run_response
from evaluation.runs.serializers import RunDetail
from evaluation.uploads import services as uploads
from qc4.io.kinds import GOLDS


class ImportOptions(FileOptions):
    """Options of importing a collection."""

    FORM = ImportCollection
    HELP = {
        "completion": "How pages in no topic are treated: `strict` rejects them, `complete` assigns them.",
        "split_levels": "A separator such as `>` that splits subtopic names into levels.",
        "html_entities": "How HTML entities in names, titles, URLs and texts are treated: `auto` decodes them once in "
        "the AMBIENT layout and otherwise keeps them and warns; `keep`, `once` and `twice` apply to any format.",
        "public": "Whether everyone can read it.",
        "participation": "Who can submit if it is public: `members`, accepted people after a `request`, or `anybody`.",
    }

    # Not required in the query string or in the form alone, but in one of them.
    name = serializers.CharField(default="", max_length=NAME_CHARS, help_text="The name of the collection; required.")


class CollectionFilter(ListOptions):
    """Filters of the list of collections."""

    FORM = CollectionFilterForm
    HELP = {
        "q": "Words in the name, the description or a query.",
        "show": "`mine` lists the collections in which you have a role.",
        "language": "A language tag: `pt` also finds `pt-BR`.",
        "size": "`small` has up to 20 queries, `medium` up to 100.",
    }


class CollectionsView(APIView):
    """All collections."""

    parser_classes = FILE_PARSERS
    throttle_classes = PER_UPLOAD

    @listing("collections", CollectionRow, "collections", options=CollectionFilter)
    def get(self, request: Request) -> Response:
        """List public collections and those you are a member of, by name."""
        rows = found_collections(request.user, CollectionFilter.of(request.query_params))
        return paged(rows.select_related("created_by"), CollectionRow, request)

    @extend_schema(
        operation_id="import_collection",
        parameters=[ImportOptions],
        request=file_request(ImportOptions, "A collection in any format, and the import options."),
        responses={202: RunDetail},
        tags=["collections"],
    )
    def post(self, request: Request) -> Response:
        """Import a collection from a file in any collection format. You become its owner.

        The response is a run. Poll it until it has ended; its `collection` is then the new collection. If the body is
        the bare file, put the options in the query string; if it is a form, put them in its fields.
        """
        user = person(request)
        file = received(request, ImportOptions)
        with uploads.deleted_on_error(uploads.store(file.source, file.name, user, GOLDS)) as upload:
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
        return run_response(run, request, status.HTTP_202_ACCEPTED)
