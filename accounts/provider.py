"""The OpenID Connect provider of the settings (``OIDC_…``): where people are sent, and who came back.

The authorization code flow with PKCE, state and nonce. Only the issuer's own host and those of ``OIDC_HOSTS`` are
asked, with limits on time and size; only what the provider signed with its own keys is believed."""

from __future__ import annotations

import json
import logging
import secrets
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from django.conf import settings
from django.core.cache import caches
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry
from requests.adapters import HTTPAdapter

from accounts import mail


class ProviderError(Exception):
    """The provider did not say who it is; in words for the person."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Who came back from the provider.

    Attributes:
        subject: with the issuer, who it is, for ever; nothing else is.
        email: "" where it says none.
        email_verified: whether the provider knows it to be theirs.
    """

    issuer: str
    subject: str
    email: str
    email_verified: bool


log = logging.getLogger(__name__)

SECONDS = 5.0
"""How long one answer may take, from the first byte to the last, and how long it may begin to come."""
MOST_BYTES = 256 * 1024
KEPT_SECONDS = 300
"""How long its discovery document is kept by a process."""
LEEWAY = 60
"""By how many seconds its clock may be off."""
SIGNED_BY = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
"""By a key only the provider has: neither `none`, nor what the shared secret signs."""
PUBLIC_KEYS = frozenset({"RSA", "EC"})


@dataclass(frozen=True, slots=True)
class Trip:
    """A person on their way to the provider. All but the address is kept for when they come back."""

    address: str
    state: str
    nonce: str
    verifier: str


def depart() -> Trip:
    """A way to the provider and back.

    Raises:
        ProviderError: it cannot be reached, or does not say where to go.
    """
    verifier, nonce = secrets.token_urlsafe(48), secrets.token_urlsafe(24)
    with _session() as session:
        where = _discovered(session)["authorization_endpoint"]
        address, state = session.create_authorization_url(where, code_verifier=verifier, nonce=nonce)
    return Trip(address, state, nonce, verifier)


def arrive(code: str, nonce: str, verifier: str) -> Shown:
    """Who came back with this code.

    Raises:
        ProviderError: the provider cannot be reached, refuses the code, or what it says cannot be relied on.
    """
    try:
        with _session() as session:
            document = _discovered(session)
            answer = session.fetch_token(
                document["token_endpoint"], code=code, code_verifier=verifier, grant_type="authorization_code"
            )
            keys = _json(session, document["jwks_uri"])
        return _shown(answer, keys, nonce)
    except requests.RequestException as error:
        raise _away(error) from error
    except (AuthlibBaseError, JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
        # The words of an error may hold what was sent.
        log.warning("The provider's answer was refused: %s.", type(error).__name__)
        raise ProviderError(
            f"What {settings.OIDC_NAME} said could not be relied on, so nobody was signed in. Try again; if it stays "
            f"so, tell the operator of this site."
        ) from error


def _shown(answer: Any, keys: Any, nonce: str) -> Shown:
    """What the ID token says, once signature, issuer, audience, times and nonce are right."""
    usable = [key for key in keys["keys"] if key.get("kty") in PUBLIC_KEYS and key.get("use", "sig") == "sig"]
    registry = JWSRegistry(algorithms=list(SIGNED_BY), strict_check_header=False)
    token = jwt.decode(answer["id_token"], KeySet.import_key_set({"keys": usable}), registry=registry)
    options = {"iss": {"essential": True, "value": settings.OIDC_ISSUER}, "aud": {"value": settings.OIDC_CLIENT_ID}}
    known = {"nonce": nonce, "client_id": settings.OIDC_CLIENT_ID, "access_token": answer.get("access_token")}
    claims = CodeIDToken(token.claims, token.header, options, known)
    claims.validate(leeway=LEEWAY)
    subject, email = claims["sub"], claims.get("email") or ""
    if not isinstance(subject, str) or not 0 < len(subject) <= 255 or not isinstance(email, str):
        raise ValueError("sub")
    return Shown(settings.OIDC_ISSUER, subject, email[:254], claims.get("email_verified") is True)


def _discovered(session: OAuth2Session) -> dict[str, Any]:
    """The provider's discovery document. What was read, or that it could not be, is known for a while."""
    kept = caches["memory"].get(key := f"provider {settings.OIDC_ISSUER}".replace(" ", "-"))
    if kept is not None:
        if isinstance(kept, str):
            raise ProviderError(kept)
        return dict(kept)
    try:
        found = _json(session, settings.OIDC_ISSUER.rstrip("/") + "/.well-known/openid-configuration")
        places = [found[name] for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")]
        if found["issuer"] != settings.OIDC_ISSUER or not all(map(_is_own, places)):
            raise ValueError("another issuer, or a host that OIDC_HOSTS does not name")
    except (requests.RequestException, ValueError, TypeError, KeyError) as error:
        away = _away(error)
        caches["memory"].set(key, str(away), SECONDS)
        raise away from error
    caches["memory"].set(key, found, KEPT_SECONDS)
    return dict(found)


def _away(error: Exception) -> ProviderError:
    log.warning("The provider cannot be used: %s.", type(error).__name__)
    return ProviderError(
        f"{settings.OIDC_NAME} does not answer as it should. Try again later; if your account has a password, sign in "
        f"with that."
    )


def _json(session: OAuth2Session, address: str) -> Any:
    answer = session.get(address, withhold_token=True)
    answer.raise_for_status()
    return json.loads(answer.content)


def _session() -> OAuth2Session:
    session = OAuth2Session(
        settings.OIDC_CLIENT_ID,
        settings.OIDC_CLIENT_SECRET,
        scope="openid email",
        redirect_uri=mail.link("provider-return"),
        code_challenge_method="S256",
    )
    for scheme in ("https://", "http://"):
        session.mount(scheme, _OnlyTheProvider())
    return session


def _is_own(address: object) -> bool:
    """True if an address has the issuer's scheme, and its host and port or those of a host that the settings name."""
    issuer = urlsplit(settings.OIDC_ISSUER)
    found = urlsplit(address) if isinstance(address, str) else urlsplit("")
    return found.scheme == issuer.scheme and found.netloc.lower() in {issuer.netloc.lower(), *settings.OIDC_HOSTS}


class _OnlyTheProvider(HTTPAdapter):
    """Sends every request: only to hosts of the provider, never on by a redirect, limited in time and size."""

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        if not _is_own(request.url):
            raise requests.exceptions.InvalidURL("not a host of the provider")
        answer = super().send(request, *args, **(options | {"stream": True, "timeout": SECONDS}))
        read, end = bytearray(), time.monotonic() + SECONDS
        with answer:
            for piece in answer.iter_content(4096):
                read += piece
                if len(read) > MOST_BYTES or time.monotonic() > end:
                    raise requests.exceptions.ContentDecodingError("too large or too slow")
        if answer.is_redirect:
            raise requests.exceptions.TooManyRedirects("it leads elsewhere")
        answer._content = bytes(read)
        return answer
