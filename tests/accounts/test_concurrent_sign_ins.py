"""Sixty wrong secrets sent to four instances of the site at once: no more are checked than the limit allows."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from urllib.parse import urlencode

import pyotp
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client

from accounts.models import AuditEntry, Tally, User
from accounts.services import second_factor, sign_in
from tests.qc4site.raw_http import asked, head
from tests.samples.documents import PASSWORD
from tests.waiting import wait_for
from tests.work.sandbox import BOTH_DATABASES, Sandbox, free_port

pytestmark = BOTH_DATABASES

AT_ONCE = 60
LIMIT, OF_ADDRESS = 10, 20
"""Of one name and of codes; and of one address, one account and of tokens."""
BUSY = 503
CSRF = "c" * 32
COUNTED = ("name", "code", "token", "login")


class Site:
    """Four instances of the site, as they run behind a proxy, and a client that sends the same thing many times at the
    same moment."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._ports = [free_port() for _ in range(4)]
        self._programs = [
            sandbox.program(
                "-m", "qc4site.web", PORT=str(port), DEBUG="1", JOB_SWEEP_SECONDS="60",
                API_RATE_LOGIN=f"{OF_ADDRESS}/day", TRUSTED_PROXIES="1",
            )
            for port in self._ports
        ]  # fmt: skip
        self._cases = 0
        for port, program in zip(self._ports, self._programs, strict=True):
            wait_for(partial(self._answers, port), f"the site answers (see {program.log})")

    @property
    def log(self) -> str:
        return "".join(program.log.read_text() for program in self._programs)

    def send(
        self, address: str, fields: dict[str, str] | None = None, session: str = "", **headers: str
    ) -> Counter[int]:
        """The statuses of the answers, by how many there are. Each call comes from an address of its own.

        What a busy site answers with 503 is sent again, as a browser does.
        """
        self._cases += 1
        body = urlencode({**(fields or {}), "csrfmiddlewaretoken": CSRF}).encode() if fields is not None else b""
        sent = {
            "Connection": "close",
            "Cookie": f"csrftoken={CSRF}; sessionid={session}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Content-Length": str(len(body)),
            "X-Forwarded-For": f"192.0.2.{self._cases}",
            **headers,
        }
        request = head("GET" if fields is None else "POST", address, **sent) + body

        def answered(number: int) -> int:
            port = self._ports[number % len(self._ports)]
            while (heard := asked(port, request)).status == BUSY:
                time.sleep(0.1)
            return heard.status

        with ThreadPoolExecutor(AT_ONCE) as pool:
            return Counter(pool.map(answered, range(AT_ONCE)))

    def _answers(self, port: int) -> bool:
        try:
            return asked(port, head("GET", "/sign-in/", Connection="close")).status == 200
        except OSError:
            return False


class Person:
    """Somebody with a second factor, and a code that her device does not show now, nor soon."""

    def __init__(self, name: str) -> None:
        self.user = User.objects.create_user(name, email=f"{name}@example.org")
        self.user.password = PBKDF2PasswordHasher().encode(PASSWORD, "salt")  # as the site itself stores it
        self.user.save()
        secret, now = second_factor.new_secret(), time.time()
        assert second_factor.turn_on(self.user, secret, pyotp.TOTP(secret).at(now - 30)) is not None
        near = {pyotp.TOTP(secret).at(now + 30 * step) for step in range(-2, 40)}
        self.wrong_code = next(code for code in map("{:06}".format, range(100)) if code not in near)
        AuditEntry.objects.all()._raw_delete("default")

    def signed_in(self) -> str:
        client = Client()
        client.force_login(self.user)
        return client.cookies[settings.SESSION_COOKIE_NAME].value

    def after_the_password(self) -> str:
        session, holds = SessionStore(), self.user.get_session_auth_hash()
        session[sign_in.KEY] = {
            "account": self.user.pk, "holds": holds, "at": time.time(), "to": "/", "by_provider": False
        }  # fmt: skip
        session.create()
        return session.session_key or ""

    def told(self) -> Counter[str]:
        return Counter(AuditEntry.objects.filter(account=self.user.pk).values_list("kind", flat=True))


def test_no_more_tries_are_looked_at_than_the_limit_allows(sandbox: Sandbox) -> None:
    site = Site(sandbox)
    looked_at, of_address = {429: AT_ONCE - LIMIT}, {429: AT_ONCE - OF_ADDRESS}
    of_name, at_sign_in, turning_off, renewing, signed_in = map(Person, ("ada", "bob", "cyd", "dee", "eve"))

    assert site.send("/sign-in/", {"username": "ada", "password": "wrong"}) == looked_at | {200: LIMIT}
    assert of_name.told() == {"wrong-password": LIMIT, "locked": 1}

    site.send("/sign-in/code/", {"code": at_sign_in.wrong_code}, at_sign_in.after_the_password())
    assert at_sign_in.told() == {"wrong-code": LIMIT, "locked": 1}
    wait_for(lambda: "somebody knows your password" in site.log, "the e-mail is written")
    assert site.log.count("Subject: QC4 Bench: somebody knows your password") == 1

    for person, address in ((turning_off, "off"), (renewing, "codes")):
        wrong = {"password": "wrong", "code": person.wrong_code}
        sent = site.send(f"/account/second-factor/{address}/", wrong, person.signed_in())
        assert sent == of_address | {400: OF_ADDRESS}

    wrong = {"email": "mallory@example.org", "password": "wrong"}
    assert site.send("/account/e-mail/", wrong, signed_in.signed_in()) == of_address | {400: OF_ADDRESS}
    assert site.send("/api/v1/", Authorization="Bearer qc4_guess") == of_address | {401: OF_ADDRESS}

    of_kind = {kind: set(Tally.objects.filter(kind=kind).values_list("number", flat=True)) for kind in COUNTED}
    assert of_kind == {"name": {LIMIT}, "code": {LIMIT}, "token": {OF_ADDRESS}, "login": {LIMIT, OF_ADDRESS}}
