"""The WSGI entry point."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qc4site.settings")

_site = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer a request. The response to HEAD has no body, which Django leaves to the server and waitress to Django."""
    response = _site(environ, start_response)
    if environ["REQUEST_METHOD"] != "HEAD":
        return response
    response.close()
    return []
