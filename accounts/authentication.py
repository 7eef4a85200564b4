"""Who calls the API: a program with a token (``Authorization: Bearer qc4_…``), or a person's browser session."""

from __future__ import annotations

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from accounts.models import ApiToken, User
from accounts.services import tokens
from accounts.throttles import WrongTokens

SCHEME = "Bearer"


class TokenExpired(AuthenticationFailed):
    """Told only to whoever has the right secret."""

    default_code = "token-expired"


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
    if tries.too_many():
        return Throttled(tries.wait())
    tries.note()
    return AuthenticationFailed("This token is unknown or was revoked.")
