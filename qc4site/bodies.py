"""Who may send how large a body where: decided from the head of a request, before anything reads or keeps its body.

The order: is it known how long it is, does the address take so much and files, who sends it, may they. Only then Django
parses it. The server asks in the same words before it lets a large body come (`qc4site.serving.protocol`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from accounts.authentication import SCHEME
from accounts.models import User
from accounts.person import Person
from accounts.services import tokens
from annotations.access import get_collection
from qc4.problems import InputError, Problem
from qc4site.body_limits import UNKNOWN_SENDERS, Takes, taken_at
from qc4site.error_pages import page
from qc4site.errors import Told, told
from qc4site.serving import protocol
from qc4site.serving.patience import BODIES_OF_ONE
from qc4site.token_scopes import refusal

NO_FILES = Told(
    415, "This address takes no files.", fix="Send its fields without files, and not as multipart/form-data."
)
ENDED: dict[str, Told] = {
    protocol.LATE: Told(
        408, "The rest of the request did not come in time.", "too-slow", "Send it again over a steadier connection."
    ),
    protocol.CROWDED: Told(
        429,
        f"Too many files are on their way at the same time; one person may send {BODIES_OF_ONE} at a time.",
        fix="Wait until others have arrived, and send it again.",
        headers={"Retry-After": "30"},
    ),
}


class Bodies:
    """Middleware; it stands before whatever reads ``request.POST``, such as the check of forms' tokens."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]
    ) -> HttpResponse | None:
        """A refusal, or the word that the body may come; None: go on to the view."""
        state = request.META.get(protocol.STATE, "")
        if state in ENDED:
            return page(request, ENDED[state])
        takes = taken_at(request.resolver_match.view_name if request.resolver_match else None)
        refused = _wrong_body(request, takes)
        if refused is not None:
            return page(request, refused)
        if not (_is_form(request) or _is_large(request)):
            return None
        sender = _sender(request)
        # A token that is not good for this: the view refuses it and says why, before it reads anything.
        refusal = None if sender is None else _wrong_sender(request, takes, sender, named)
        if refusal is not None or sender is None or state != protocol.ASKED:
            return refusal
        about = {protocol.MOST_BYTES: str(takes.most), protocol.PERSON: str(sender.pk)}
        return HttpResponse(status=204, headers=about)


def _wrong_body(request: HttpRequest, takes: Takes) -> Told | None:
    length = _length(request)
    if length > takes.most or request.META.get(protocol.STATE) == protocol.TOO_LONG:
        return _too_large(length, takes.most)
    return NO_FILES if _is_form(request) and not takes.files else None


def _wrong_sender(request: HttpRequest, takes: Takes, sender: Person, named: Mapping[str, Any]) -> HttpResponse | None:
    if not isinstance(sender, User):
        return _sign_in(request)
    if takes.may is None:
        return None
    try:
        get_collection(sender, named["slug"], takes.may)
    except (Http404, PermissionDenied) as error:
        return page(request, told(error))
    return None


def _length(request: HttpRequest) -> int:
    said = str(request.META.get("CONTENT_LENGTH") or "0")
    return int(said) if said.isdecimal() else 0  # what Django reads of a body with such a length


def _is_form(request: HttpRequest) -> bool:
    """Whether it is one that may have files."""
    return (request.content_type or "").startswith("multipart/")  # in small letters, as Django compares it


def _is_large(request: HttpRequest) -> bool:
    """Whether it needs somebody who has signed in; of one the server asks about, the length may be unknown."""
    return _length(request) > UNKNOWN_SENDERS or request.META.get(protocol.STATE) == protocol.ASKED


def _sender(request: HttpRequest) -> Person | None:
    """Who sent it; None where a token came that stands for nobody, not any more, or not for this."""
    scheme, _, secret = request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")
    if request.path.startswith("/api/") and scheme.lower() == SCHEME.lower():
        token = tokens.authenticate(secret.strip())
        return token.user if token and not token.is_expired and not refusal(token, request) else None
    return request.user


def _sign_in(request: HttpRequest) -> HttpResponse:
    if request.path.startswith("/api/"):
        return page(request, told(PermissionDenied(), anonymous=True))
    return redirect_to_login(request.get_full_path())


def _too_large(length: int, most: int) -> Told:
    found = f"{length:,} bytes" if length > most else "a longer body"
    fix = "Send less at once: split the file, or pack it as a ZIP."
    return told(InputError([Problem("limit-file-bytes", "request", found, f"at most {most:,} bytes here", fix)]))
