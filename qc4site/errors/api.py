"""Every error of the API, in one shape that speaks to a person; never a traceback.

    {"error": {"code": "...", "sentence": "...", "fix": "...",
               "problems": [{"code", "severity", "where", "found", "expected", "fix"}]}}

``code`` is permanent (kebab-case). 429 and 503 carry ``Retry-After``, and 429 the place in the queue where work has to
queue.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.http.request import UnreadablePostError
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.authentication import OtherPerson, TokenExpired
from accounts.scopes import PersonOnlyError, ScopeError
from accounts.throttles import TooManyTries
from annotations.drafts.access import ReopenedError
from annotations.drafts.services.errors import ConflictError, DraftError
from common.disk_space import lacking
from evaluation.problems import problems_to_json as problems_told
from evaluation.runs.errors import RunError, TooManyRuns
from qc4.problems import MAX_SHOWN, InputError, Problem
from qc4site.errors.unavailable import Unavailable, unavailable
from work.answers import AnswerFailed, Pending
from work.budget import TooManyAnswers

log = logging.getLogger(__name__)

TOO_LARGE = frozenset({"limit-file-bytes", "limit-archive-bytes", "quota-bytes", "quota-rows"})
"""Problems about the mere size of what was sent, or is kept with it: 413 instead of 400."""
CODES: dict[int, str] = {
    400: "bad-request",
    401: "not-authenticated",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    409: "conflict",
    413: "too-large",
    415: "unsupported-media-type",
    422: "unprocessable",
    429: "too-many-requests",
    500: "internal-error",
    503: "unavailable",
    507: "no-space",
}
FIXES: dict[int, str] = {
    401: "Send the header 'Authorization: Bearer qc4_…' with a token from your account page.",
    404: "Check the address, and that your token's user may see it.",
    405: "See /api/v1/docs/ for what this address understands.",
    413: "Send less at once, or split the file.",
}


@dataclass(frozen=True, slots=True)
class Told:
    """What the caller is told about an error. ``more`` are extra fields of the error object."""

    status: int
    sentence: str
    code: str = ""
    fix: str = ""
    problems: Sequence[Mapping[str, Any]] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    def body(self) -> dict[str, Any]:
        return {
            "error": {
                "code": self.code or CODES.get(self.status, "error"),
                "sentence": self.sentence,
                "fix": self.fix or FIXES.get(self.status, ""),
                "problems": [dict(problem) for problem in self.problems],
                **self.more,
            }
        }


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """What Django REST framework calls for everything that is raised below ``/api/``."""
    request = context.get("request")
    if isinstance(error, Pending):
        return Response(*pending(error, request.get_full_path() if request else ""))
    away = unavailable(error)  # who asks is then not to be had either
    answer = _of_unavailable(away) if away else told(error, anonymous=request is None or _is_anonymous(request))
    if away:
        log.warning("%s %s: %s (%s)", request and request.method, request and request.path, away.code, error)
    elif answer.status >= 500:
        log.error("%s %s failed", request and request.method, request and request.path, exc_info=error)
    return Response(answer.body(), status=answer.status, headers=dict(answer.headers))


def pending(error: Pending, address: str) -> tuple[dict[str, Any], int, None, dict[str, str]]:
    """The response to a program while an answer is being computed: body, status, template and headers."""
    body = {
        "pending": {
            "sentence": "This is being worked out. Ask for the same address again.",
            "retry_after": error.retry_after,
            "address": address,
        }
    }
    return body, 202, None, {"Retry-After": str(error.retry_after)}


def told(error: Exception, *, anonymous: bool = False) -> Told:
    """What to say about an error.

    Args:
        anonymous: the caller did not say who they are, so "you may not" becomes "say who you are".
    """
    if (away := unavailable(error)) is not None:
        return _of_unavailable(away)
    if (lack := lacking(error)) is not None:
        return Told(lack.status, lack.sentence, lack.code, lack.fix)
    if isinstance(error, InputError):
        return _of_input(error)
    if isinstance(error, TooManyRuns):
        return _of_too_many_runs(error)
    if isinstance(error, TooManyTries):
        return _of_too_many_tries(error)
    if isinstance(error, TooManyAnswers):
        seconds = error.retry_after
        headers, more = {"Retry-After": str(seconds)}, {"retry_after": seconds}
        return Told(429, error.sentence, "too-many-answers", error.fix, headers=headers, more=more)
    if isinstance(error, AnswerFailed):
        return Told(500, str(error), "answer-failed", "Try again in ten minutes, or tell the administrator.")
    if isinstance(error, DraftError):
        return _of_draft(error)
    if isinstance(error, ReopenedError):
        return Told(409, error.sentence, error.code, error.fix, more=error.more)
    if isinstance(error, RunError):
        found = error.to_dict()
        return Told(400, found["sentence"], found["code"], found["fix"], found["problems"])
    if isinstance(error, Http404):
        return Told(404, str(error) or "There is nothing at this address.")
    if isinstance(error, ScopeError):
        return Told(403, error.sentence, error.code, error.fix, more={"scope": error.wanted.value})
    if isinstance(error, PersonOnlyError):
        return Told(403, error.sentence, error.code, error.fix)
    if isinstance(error, PermissionDenied):
        return _not_authenticated() if anonymous else Told(403, str(error) or "You may not do this.")
    if isinstance(error, RequestDataTooBig):
        return Told(413, "The request is larger than this site takes.")
    if isinstance(error, SuspiciousOperation | UnreadablePostError | MultiPartParserError | BadRequest):
        return Told(400, "The request could not be read.", fix="Send it again, complete and as the schema says.")
    if isinstance(error, exceptions.APIException):
        return _of_framework(error)
    return Told(
        500,
        "Something went wrong that is our fault, not yours.",
        fix="Try again; if it stays, tell the administrator when it happened: the details are in the server's log.",
    )


@csrf_exempt
def unknown_address(request: HttpRequest, rest: str = "") -> JsonResponse:
    """What answers everything below ``/api/`` that is no address of the API."""
    other = request.path.rstrip("/") if request.path.endswith("/") else f"{request.path}/"
    answer = Told(404, "There is nothing at this address.", fix=f"Did you mean {other} ?" if _exists(other) else "")
    return JsonResponse(answer.body(), status=404)


def _is_anonymous(request: Request) -> bool:
    """Whether nobody is known to have sent it. Finding out may be what failed: that must not hide the error."""
    try:
        return not request.user.is_authenticated
    except Exception:
        return True


def _exists(path: str) -> bool:
    try:
        return resolve(path).func is not unknown_address
    except Resolver404:
        return False


def _of_input(error: InputError) -> Told:
    problems = error.problems
    too_large = any(problem.code in TOO_LARGE for problem in problems)
    if len(problems) == 1:
        sentence = f"{problems[0].where}: found {problems[0].found}, expected {problems[0].expected}."
    else:
        sentence = f"The input has {len(problems):,} problems{_shown(error)}; nothing was changed."
    told_ones = problems_told(error.shown)
    fix = str(told_ones[0]["fix"]) if len(problems) == 1 else ""
    return Told(
        413 if too_large else 400,
        sentence,
        "" if too_large else "invalid-input",
        fix or "Correct what the problems name and send it again.",
        told_ones,
    )


def _shown(error: InputError) -> str:
    return f" (the first {len(error.shown)} are told)" if error.left_out else ""


def _of_too_many_runs(error: TooManyRuns) -> Told:
    return Told(
        429,
        error.sentence,
        error.code,
        error.fix,
        headers={"Retry-After": str(error.retry_after)},
        more={"retry_after": error.retry_after, "queue_position": error.position},
    )


def _of_too_many_tries(error: TooManyTries) -> Told:
    seconds = max(1, math.ceil(error.wait))
    minutes = math.ceil(seconds / 60)
    fix = f"Wait {minutes} minute{'s' if minutes > 1 else ''} and try again."
    sentence = "Too many wrong passwords or codes from your address."
    return Told(429, sentence, fix=fix, headers={"Retry-After": str(seconds)}, more={"retry_after": seconds})


def _of_unavailable(away: Unavailable) -> Told:
    seconds = away.retry_after
    headers, more = {"Retry-After": str(seconds)}, {"retry_after": seconds}
    return Told(503, away.sentence, away.code, away.fix, headers=headers, more=more)


def _of_draft(error: DraftError) -> Told:
    """409 with what the sender missed, where others were faster; 422 where the draft cannot be changed like that."""
    if isinstance(error, ConflictError):
        more = {"revision": error.revision, "missed": error.missed, "clashes": error.clashes}
        return Told(409, error.sentence, error.code, error.fix, more=more)
    return Told(422, error.sentence, error.code, error.fix, more=error.more)


def _not_authenticated() -> Told:
    return Told(401, "This needs a token or a signed-in user.", headers={"WWW-Authenticate": "Bearer"})


def _of_framework(error: exceptions.APIException) -> Told:
    if isinstance(error, exceptions.ValidationError):
        # As many as of an input, of which the first are told: lists of 100,000 values may each be wrong.
        problems = [problem.to_dict() for problem in islice(_problems(error.detail), MAX_SHOWN)]
        return Told(
            400,
            "The request has values that cannot be used.",
            "invalid-input",
            "Correct what the problems name and send it again.",
            problems,
        )
    headers = {}
    more: dict[str, Any] = {}
    if isinstance(error, exceptions.Throttled):
        seconds = max(1, math.ceil(error.wait or 1))  # type: ignore[attr-defined]  # the stubs leave it out
        headers["Retry-After"] = str(seconds)
        more["retry_after"] = seconds
        return Told(429, "Too many requests.", fix=f"Try again in {seconds} seconds.", headers=headers, more=more)
    header = getattr(error, "auth_header", None)
    if header:
        headers["WWW-Authenticate"] = header
    if isinstance(error, OtherPerson):
        return Told(error.status_code, str(error.detail), error.default_code, error.fix, headers=headers)
    code = TokenExpired.default_code if isinstance(error, TokenExpired) else ""
    return Told(error.status_code, str(error.detail), code, headers=headers)


def _problems(detail: Any, where: str = "") -> Iterator[Problem]:
    """The messages of a serializer, flattened: where they belong and what was expected there."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            yield from _problems(inner, where if name == "non_field_errors" else f"{where}.{name}".strip("."))
        return
    if isinstance(detail, list):
        for inner in detail:
            yield from _problems(inner, where)
        return
    code = str(getattr(detail, "code", "invalid")).replace("_", "-")
    found = "nothing" if code in {"required", "null", "blank", "empty"} else "a value that does not fit"
    yield Problem(code, where or "request", found, str(detail))
