"""JSON bodies read as strictly as files: what could not be stored and written back is refused by its path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.parsers import JSONParser
from rest_framework.request import Request

from common.limits import DOCUMENT_LIMITS, LIMITS, REQUEST_BYTES, REQUEST_FIELDS, REQUEST_LIMITS
from qc4.io.limits import Budget
from qc4.io.source import Readable
from qc4.io.strict_json import parse_json
from qc4.problems import InputError, Problem


class StrictJSON(JSONParser):
    """As `qc4.io.strict_json`; refuses bodies of more than ``most_bytes`` without reading them."""

    most_bytes = REQUEST_BYTES
    limits = REQUEST_LIMITS

    def parse(
        self, stream: Readable, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        data = stream.read(self.most_bytes + 1)
        if len(data) > self.most_bytes:
            expected = f"at most {self.most_bytes:,} bytes (limit 'file_bytes')"
            raise InputError([Problem("limit-file-bytes", "request", "a longer body", expected)])
        return parse_json(data, "request", Budget(self.limits)) if data else {}


class StrictDocument(StrictJSON):
    """The same for requests that may carry a whole file."""

    most_bytes = LIMITS.file_bytes
    limits = DOCUMENT_LIMITS


def fields_of(request: Request) -> dict[str, Any]:
    """The fields of a JSON object; ValidationError for anything else.

    Raises:
        InputError: more fields than any request has.
    """
    if not isinstance(request.data, Mapping):
        raise ValidationError({"request": ["a JSON object"]})
    if (number := len(request.data)) > REQUEST_FIELDS:
        raise InputError([Problem("too-many-fields", "request", f"{number:,} fields", f"at most {REQUEST_FIELDS}")])
    return dict(request.data)
