"""Which scope a token needs for a request to the API.

GET needs the scope `read`. What other methods need is declared with their endpoint (`common.routes.endpoint`); a
request to an endpoint that declares nothing needs `manage`. A test sends requests to every endpoint with tokens of each
scope (`tests/whole_site/test_permissions.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.models import ApiToken
from accounts.scopes import PersonOnlyError, Scope, ScopeError
from common.routes import declaration_of

if TYPE_CHECKING:  # the framework loads permissions while it loads its views
    from rest_framework.views import APIView


def refusal(token: ApiToken, request: HttpRequest | Request) -> PermissionDenied | None:
    """Return why this token does not allow the request; None if its scopes allow it."""
    if request.method in SAFE_METHODS:
        return None
    declaration = declaration_of(request.resolver_match)
    if declaration.person_only:
        return PersonOnlyError()
    needed = Scope(declaration.scopes.get(request.method or "") or declaration.scope or Scope.MANAGE)
    return None if needed in token.scope_names else ScopeError(needed, token.scope_names)


class WithinScope(BasePermission):
    """Rejects requests that the scopes of their token do not allow. People who are signed in need no scope."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        token = request.auth
        if isinstance(token, ApiToken) and (why_not := refusal(token, request)):
            raise why_not
        return True
