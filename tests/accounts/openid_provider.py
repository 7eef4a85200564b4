"""A tiny OpenID Connect provider on this machine, with keys of its own, that does what a test tells it to."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "qc4-bench", "a-secret-of-the-client"
Claims = dict[str, Any]


class Provider:
    """What it does can be set: answers of an address (`answers`), and how ID tokens are made (`sign`)."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self.key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self.sign: Callable[[Claims], str] = lambda claims: jwt.encode({"alg": "RS256", "kid": "one"}, claims, self.key)
        self.asked: list[str] = []
        self.answers: dict[str, Callable[[], tuple[int, bytes, dict[str, str]]]] = {}
        self._codes: dict[str, tuple[str, Claims]] = {}

    def agree(self, address: str, subject: str = "248289761001", **claims: Any) -> dict[str, str]:
        """Somebody was sent here and says yes. Returns what they bring back; claims are added to the ID token."""
        asked = dict(parse_qsl(urlsplit(address).query))
        assert asked["client_id"] == CLIENT
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        code, now = secrets.token_urlsafe(8), int(time.time())
        told = {
            "iss": self.issuer,
            "sub": subject,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
        }
        kept = {name: value for name, value in (told | claims).items() if value is not None}
        self._codes[code] = (asked["code_challenge"], kept)
        return {"code": code, "state": asked["state"]}

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, Claims]:
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        challenge, claims = self._codes.pop(form.get("code", ""), ("", {}))
        proof = _base64(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if authorization != f"Basic {basic}" or proof != challenge:
            return 400, {"error": "invalid_grant"}
        return 200, {"access_token": "x", "token_type": "Bearer", "id_token": self.sign(claims)}

    def document(self) -> Claims:
        places = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        return {"issuer": self.issuer, **{name: f"{self.issuer}/{path}" for name, path in places.items()}}


def unsigned(claims: Claims) -> str:
    """`alg: none`."""
    return f"{_written({'alg': 'none'}, claims)}."


def signed_by_the_public_key(provider: Provider) -> Callable[[Claims], str]:
    """`alg: HS256`, with what everybody can read as the shared secret."""
    return _by_a_secret(provider.key.as_pem(private=False))


def signed_by_the_client_secret(_: Provider) -> Callable[[Claims], str]:
    """`alg: HS256`: whoever learned the secret would be anybody."""
    return _by_a_secret(SECRET.encode())


def _by_a_secret(secret: bytes) -> Callable[[Claims], str]:
    def sign(claims: Claims) -> str:
        text = _written({"alg": "HS256", "kid": "one"}, claims)
        return f"{text}.{_base64(hmac.digest(secret, text.encode(), 'sha256'))}"

    return sign


def _written(header: Claims, claims: Claims) -> str:
    return ".".join(_base64(json.dumps(part).encode()) for part in (header, claims))


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def signed_by_somebody_else(_: Provider) -> Callable[[Claims], str]:
    key = RSAKey.generate_key(2048, {"kid": "one"})
    return lambda claims: jwt.encode({"alg": "RS256", "kid": "one"}, claims, key)


@contextmanager
def at_work() -> Iterator[Provider]:
    """A provider that answers on loopback."""
    provider = Provider("")
    with _served(provider, lambda path: provider.asked.append(path)) as provider.issuer:
        yield provider


@dataclass
class Host:
    """Another host of a provider, and which paths were asked for there."""

    address: str = ""
    asked: list[str] = field(default_factory=list)


@contextmanager
def another_host(provider: Provider) -> Iterator[Host]:
    """Answer for a provider at another address, too."""
    host = Host()
    with _served(provider, host.asked.append) as host.address:
        yield host


@contextmanager
def _served(provider: Provider, note: Callable[[str], None]) -> Iterator[str]:
    """Answer on loopback; yields the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = {
                "/.well-known/openid-configuration": provider.document,
                "/keys": lambda: {"keys": [provider.key.as_dict(private=False)]},
            }[self.path]
            self._say(200, found())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._say(*provider.token(form, self.headers.get("Authorization", "")))

        def _say(self, status: int, what: Claims) -> None:
            note(self.path)
            content, headers = json.dumps(what).encode(), {"Content-Type": "application/json"}
            if self.path in provider.answers:
                status, content, more = provider.answers[self.path]()
                headers |= more
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
