"""Who calls the API: a program with a token (``Authorization: Bearer qc4_…``), or a person's browser session."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.models import ApiToken, User
from accounts.services import tokens
from accounts.throttles import WrongTokens

if TYPE_CHECKING:  # the framework loads permissions while it loads its views
    from rest_framework.views import APIView

SCHEME = "Bearer"


class TokenExpired(AuthenticationFailed):
    """Told only to whoever has the right secret."""

    default_code = "token-expired"


class OtherPerson(AuthenticationFailed):
    """Somebody else signed in to the browser since the page that asks was opened."""

    default_code = "other-person"

    def __init__(self, now: str, meant: str) -> None:
        super().__init__(f"You are signed in as {now}; this was sent as {meant}, and nothing was done.")
        self.fix = f"Sign in as {meant} again, or load the page anew."


class SamePerson(BasePermission):
    """Refuses what a page sends as one person while another is signed in, whatever the other may do.

    A page stays open, and its work may wait, while somebody else signs in to the same browser: the session is then
    theirs. So the scripts of the workspace name who they work for (`static/js/common/http.js`). Only sessions change
    hands: of a program, which has a token, and where nobody is named, nothing is asked.
    """

    HEADER = "X-QC4-Person"
    """The name of the account, percent-encoded."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        meant = unquote(request.headers.get(self.HEADER, ""))
        user = request.user
        if meant and isinstance(user, User) and request.auth is None and user.get_username() != meant:
            raise OtherPerson(user.get_username(), meant)
        return True


class TokenAuthentication(BaseAuthentication):
    """A token stands for its user. A wrong one is an error, never an anonymous request."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token's user; None if the request has no token.

        Raises:
            AuthenticationFailed: the token is malformed, unknown, revoked or expired, or its user may not sign in.
            Throttled: it is wrong, like too many before it from this address. A right one always works: what others of
                the same address get wrong is no fault of its program's.
        """
        scheme, _, secret = request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        token = tokens.authenticate(secret.strip())
        if token is None:
            raise _refusal(request)
        if token.is_expired:
            raise TokenExpired(f"This token expired on {token.expires_at:%Y-%m-%d at %H:%M} UTC. Make a new one.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return SCHEME


def _refusal(request: Request) -> AuthenticationFailed | Throttled:
    """Counts a wrong token, until too many are."""
    tries = WrongTokens(request)
    if not tries.take():
        return Throttled(tries.wait())
    return AuthenticationFailed("This token is unknown or was revoked.")
