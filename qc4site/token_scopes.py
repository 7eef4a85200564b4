"""Which scope a token needs at which address of the API: THE table of it.

Reading (GET) needs none but `read`, whatever the address. Every other address stands here; one that does not would need
all that `manage` gives. `tests/test_permissions.py` asks every address with tokens of each scope.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.models import ApiToken
from accounts.scopes import PersonOnlyError, Scope, ScopeError

if TYPE_CHECKING:  # the framework loads permissions while it loads its views
    from rest_framework.views import APIView

ADDRESSES: dict[Scope, str] = {
    Scope.SUBMIT: """
        submissions submission-check submission-evaluations submission-publish submission-unpublish
        baselines evaluations sweeps algorithm run-cancel run-rerun requests own-request
        stream-baselines stream-submissions
        stream-submission-measure stream-submission-publish stream-submission-unpublish
    """,
    Scope.CURATE: """
        gold-versions guidelines-changes assignments vectors vectors-from-text query-vectors streams
        drafts drafts-from-clustering draft draft-restore draft-submit draft-reopen draft-publish
        draft-operations draft-presence draft-losses draft-suggestions draft-threads
        thread thread-resolve thread-reopen thread-ask-lead thread-read comment
        adjudications draft-decisions draft-decisions-several draft-decisions-proposals
        draft-decisions-undo draft-decisions-redo
    """,
    Scope.MANAGE: """
        collections collection challenge invitations invitation offers offer offer-answer request-answer notices token
        submission stream stream-submission algorithm-merge
    """,
}
"""Names of addresses; whatever is not read there."""
METHODS = {("DELETE", "algorithm"): Scope.MANAGE}
"""Where one method of an address needs another scope than the rest."""
PERSONS_ONLY = frozenset({"tokens"})
"""Where no token is enough: one that leaks must not make itself another, nor take the account over."""
_SCOPE_OF = {name: scope for scope, names in ADDRESSES.items() for name in names.split()}


def refusal(token: ApiToken, request: HttpRequest | Request) -> PermissionDenied | None:
    """Why this token may not do what is asked for; None where it may, as far as its scopes go."""
    if request.method in SAFE_METHODS:
        return None
    match = request.resolver_match
    name = (match and match.url_name) or ""
    if name in PERSONS_ONLY:
        return PersonOnlyError()
    wanted = METHODS.get((request.method or "", name)) or _SCOPE_OF.get(name, Scope.MANAGE)
    return None if wanted in token.scope_names else ScopeError(wanted, token.scope_names)


class WithinScope(BasePermission):
    """Refuses tokens what their scopes do not hold; who is signed in may do whatever their roles give."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        token = request.auth
        if isinstance(token, ApiToken) and (why_not := refusal(token, request)):
            raise why_not
        return True
