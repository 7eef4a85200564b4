"""Limits on bodies, checked before Django reads them: their size, whether they may contain files, and who sends them.

The server has received the whole body by then. It keeps a large one in a file without a name, which is gone when the
request is answered. A body that is refused here is neither parsed nor copied. The server always states the length:
that of a body sent in chunks is known once it has arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse

from common.body_sizes import ANONYMOUS, FEW_FIELDS
from common.routes import declaration_of
from qc4.problems import InputError, Problem
from qc4site.errors.api import Told, told
from qc4site.errors.pages import page

NO_FILES = Told(
    415, "This address takes no files.", fix="Send its fields without files, and not as multipart/form-data."
)


class Bodies:
    """Middleware. It comes before everything that reads ``request.POST``, such as the check of CSRF tokens."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]
    ) -> HttpResponse | None:
        """Return a refusal, or None to go on to the view."""
        accepted = declaration_of(request.resolver_match).body or FEW_FIELDS
        said = str(request.META.get("CONTENT_LENGTH") or "0")
        length = int(said) if said.isdecimal() else 0  # Django reads nothing of a body with such a length
        has_files = (request.content_type or "").startswith("multipart/")
        if length > accepted.max_bytes:
            return page(request, _too_large(length, accepted.max_bytes))
        if has_files and not accepted.files:
            return page(request, NO_FILES)
        # Endpoints of the API authenticate by themselves, before they read a body. For pages, Django looks for the CSRF
        # token in the body first, and would parse large files of anyone.
        is_page = not request.path.startswith("/api/")
        if is_page and (has_files or length > ANONYMOUS) and not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return None


def _too_large(length: int, most: int) -> Told:
    fix = "Send less at once: split the file, or pack it as a ZIP."
    return told(
        InputError([Problem("limit-file-bytes", "request", f"{length:,} bytes", f"at most {most:,} bytes here", fix)])
    )
