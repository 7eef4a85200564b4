"""Files that come in: as ``multipart/form-data`` with a field ``file``, or as the bare body of the request.

A bare body is streamed and its options stand in the query string, so ``curl --data-binary @file URL`` just works,
whatever content type it claims: the readers look at the content.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import BaseParser, DataAndFiles, MultiPartParser
from rest_framework.request import Request

from common.api.options import Options
from common.limits import FILE_NAME_CHARS
from qc4.io.source import Readable
from qc4.problems import ProblemList

Chosen = TypeVar("Chosen", bound=Options)


class BareBody(BaseParser):
    """Takes any content type and reads nothing: the view streams the body."""

    media_type = "*/*"

    def parse(
        self, stream: Readable, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> DataAndFiles[Stream, MultiValueDict[str, UploadedFile[bytes]]]:
        return DataAndFiles(Stream(stream), MultiValueDict())


@dataclass(frozen=True, slots=True)
class Stream:
    """A body that is still to be read."""

    source: Readable

    def read(self, size: int = -1, /) -> bytes:
        return self.source.read() if size < 0 else self.source.read(size)


FILE_PARSERS = [MultiPartParser, BareBody]


@dataclass(frozen=True, slots=True)
class Received(Generic[Chosen]):
    """A file, what it is called in messages, and the options that came with it."""

    source: Readable
    name: str
    options: Mapping[str, Any]


def received(request: Request, options: type[Options]) -> Received[Options]:
    """The file of a request and its options, checked.

    Raises:
        ValidationError: no field ``file``, or values that do not fit.
        InputError: unknown options; a body of unknown length: it is not read.
    """
    _check_length(request)
    sent = request.data
    given = _single(request.query_params)
    source: Readable
    if isinstance(sent, QueryDict) and is_form(request):
        file = sent.get("file")
        if not isinstance(file, UploadedFile):
            raise ValidationError({"file": ["a file in the field 'file' of the form"]}, code="required")
        source, name = file, file.name or "upload"
        given |= {field: value for field, value in _single(sent).items() if field != "file"}
    else:
        source, name = sent if isinstance(sent, Stream) else io.BytesIO(), "upload"
    chosen = options.of(given)
    return Received(source, chosen.get("filename") or name, chosen)


def is_form(request: Request) -> bool:
    """Whether the file lies in a form; everything else is taken for the file itself."""
    return (request.content_type or "").startswith("multipart/")


def _check_length(request: Request) -> None:
    """How long it may be is decided before: `common.routes.Body`."""
    problems = ProblemList()
    length = request.META.get("CONTENT_LENGTH")
    if not length and request.META.get("HTTP_TRANSFER_ENCODING"):
        fix = "Let your program send the header Content-Length: most do for files and bytes, and not for generators."
        problems.error("no-length", "request", "a body of unknown length", "the header Content-Length", fix)
    problems.refuse_errors()


def _single(values: QueryDict) -> dict[str, Any]:
    return {name: values.get(name) for name in values}


class FileOptions(Options):
    """What may be said about every file that is sent in."""

    filename = serializers.CharField(
        required=False,
        max_length=FILE_NAME_CHARS,
        help_text="What messages call the file; some formats name the query by it.",
    )


def file_request(options: type[Options], json_description: str) -> dict[str, Any]:
    """The request bodies of an operation that takes a file, for its schema."""
    form = type(f"{options.__name__}Form", (options,), {"file": serializers.FileField(), "__doc__": json_description})
    return {
        "multipart/form-data": form,
        "application/json": OpenApiTypes.OBJECT,
        "application/octet-stream": OpenApiTypes.BINARY,
    }
