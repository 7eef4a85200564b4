"""Errors as pages in the site's look; below the API's addresses `qc4site.errors.api` answers instead."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404

from accounts.throttles import TooManyTries
from annotations.drafts.access import ReopenedError
from common.capacity import CrowdedError
from common.disk_space import lacking
from evaluation.runs.errors import TooManyRuns
from qc4.problems import InputError
from qc4site.errors.api import Told, pending, told
from qc4site.errors.unavailable import unavailable
from work.answers import AnswerFailed, Pending
from work.budget import TooManyAnswers

log = logging.getLogger(__name__)

FILE = re.compile(r"\.(csv|tex|svg|zip)$")
"""Addresses of files."""

HEADINGS = {
    400: "That could not be used",
    403: "Not yours to do",
    404: "Nothing here",
    409: "Not to be seen now",
    413: "Too large",
    415: "No files here",
    429: "Too much at once",
    500: "Our fault",
    503: "Not just now",
    507: "No room left",
}


class PageErrors:
    """Turns what services refuse into a page, or into JSON for addresses that end so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """An answer for errors that speak to the person; None leaves the others to Django."""
        if isinstance(error, Pending):
            return being_worked_out(request, error)
        if isinstance(error, CrowdedError):
            return crowded(request, error)
        if unavailable(error) or lacking(error):
            log.warning("%s %s: %s", request.method, request.path, error)
        elif not isinstance(
            error, InputError | TooManyRuns | ReopenedError | TooManyTries | TooManyAnswers | AnswerFailed
        ):
            return None
        return page(request, told(error))


def being_worked_out(request: HttpRequest, error: Pending) -> HttpResponse:
    """202: a page that asks again by itself; words for files, whose readers look at the header."""
    body, status, _, headers = pending(error, request.get_full_path())
    if request.path.endswith(".json"):
        return JsonResponse(body, status=status, headers=headers)
    if FILE.search(request.path):
        sentence = f"{body['pending']['sentence']}\n"
        return HttpResponse(sentence, status=status, headers=headers, content_type="text/plain; charset=utf-8")
    answer = render(request, "qc4site/pending.html", {"pending": error}, status=status)
    answer["Retry-After"] = headers["Retry-After"]
    return answer


def crowded(request: HttpRequest, error: CrowdedError) -> HttpResponse:
    """503: there is no place for slow work. The browser asks again by itself for what it only wanted to see."""
    log.info("%s %s: %s", request.method, request.path, error)
    answer = page(request, told(error))
    if request.method == "GET":
        answer["Refresh"] = answer["Retry-After"]
    return answer


def page(request: HttpRequest, answer: Told) -> HttpResponse:
    """The error page of an answer; JSON where the address asks for JSON or belongs to the API."""
    if request.path.endswith(".json") or request.path.startswith("/api/"):
        return JsonResponse(answer.body(), status=answer.status, headers=dict(answer.headers))
    if answer.status >= 500:  # rendered without the request, so that whatever failed cannot fail again here
        response = HttpResponse(render_to_string("qc4site/error.html", _context(answer)), status=answer.status)
    else:
        response = render(request, "qc4site/error.html", _context(answer), status=answer.status)
    for name, value in answer.headers.items():
        response[name] = value
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: what Django itself refuses."""
    return page(request, told(exception))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: seen, but not for this."""
    return page(request, told(exception))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: nothing there, or nothing this person may know of. Django's own resolver errors list patterns: not shown."""
    words = "" if isinstance(exception, Resolver404) else str(exception)
    fix = "Check the address, or start from the list of collections."
    if not request.user.is_authenticated:
        fix = "Check the address. If it is private, sign in first."
    return page(request, Told(404, words or "There is nothing at this address.", fix=fix))


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: a form from a page that is too old, from another site, or with cookies off."""
    fix = "Go back, reload the page and send the form again; cookies must be allowed for this site."
    return page(request, Told(403, "This form was not sent from a fresh page of this site.", fix=fix))


def server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 where the database failed around a view: what Django calls while it handles the error."""
    error = sys.exception()
    if not isinstance(error, Exception) or not (unavailable(error) or lacking(error)):
        error = RuntimeError()
    return page(request, told(error))


def _context(answer: Told) -> dict[str, object]:
    return {
        "status": answer.status,
        "heading": HEADINGS.get(answer.status, "Something went wrong"),
        "sentence": answer.sentence,
        "fix": answer.body()["error"]["fix"],
        "problems": answer.problems,
    }
