"""What cannot be done in the state things are in."""

from __future__ import annotations

from rest_framework import status
from rest_framework.exceptions import APIException


class Conflict(APIException):
    """409: the request is fine, but not now."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "conflict"
