"""E-mails to people: ``templates/emails/<name>.txt`` holds each, with the subject in its first line.

An e-mail is a courtesy. Nothing waits for it, and it is lost where the mail server does not take it. Nobody has
confirmed the address: no e-mail may hold what gives its reader a right (docs/decisions/accounts.md).
"""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template import Context, Engine
from django.urls import reverse

from accounts.models import User
from accounts.throttles import Emails

log = logging.getLogger(__name__)

# One thread for each process: a server that takes its time keeps other e-mails waiting, and nobody else.
_postman = ThreadPoolExecutor(1, thread_name_prefix="mail")


def send(user: User, name: str, **facts: str) -> None:
    """Send the e-mail of this name once the transaction is committed, if the person gave an address.

    Its text has the person's ``account``, the address of the ``site``, and the facts. Each stays within its line: what
    somebody typed begins no header and no sentence of ours.
    """
    if not user.email:
        return
    facts = {"account": user.get_username(), "site": settings.SITE_ADDRESS, **facts}
    lines = {fact: " ".join(value.split()) for fact, value in facts.items()}
    # Plain text: nothing is escaped in it.
    text = Engine.get_default().get_template(f"emails/{name}.txt").render(Context(lines, autoescape=False))
    subject, _, body = text.partition("\n")
    message = EmailMessage(subject, body.strip() + "\n", to=[user.email], headers={"Auto-Submitted": "auto-generated"})
    transaction.on_commit(lambda: _hand_over(message, name, user.pk), robust=True)


def link(view: str, *args: object) -> str:
    """The address of a page. It is never the request's word what this site is called."""
    return settings.SITE_ADDRESS + reverse(view, args=args)


def _hand_over(message: EmailMessage, name: str, user: int) -> None:
    _postman.submit(_deliver, message, name, user)


def _deliver(message: EmailMessage, name: str, user: int) -> None:
    """Whatever goes wrong is only logged, and by its kind: the words of an error may hold the address."""
    try:
        sent = Emails(user)
        if sent.too_many():
            log.warning("E-mail %s to account %d was not sent: too many in a short time.", name, user)
            return
        sent.note()
        message.send()
    except Exception as error:
        log.warning("E-mail %s to account %d was not sent: %s.", name, user, type(error).__name__)
