"""E-mails that went out."""

from __future__ import annotations

import re

from django.core import mail
from django.core.mail import EmailMessage

from tests.waiting import wait_for


def received(count: int = 1) -> list[EmailMessage]:
    """The e-mails that went out, once there are so many. They go out one after the other."""
    wait_for(lambda: len(mail.outbox) >= count, f"{count} e-mails")
    return list(mail.outbox)


def link_in(message: EmailMessage) -> str:
    """The path of the first link in an e-mail that is a line of its own."""
    found = re.search(r"^https?://[^/\s]+(/\S+)$", str(message.body), re.MULTILINE)
    assert found, message.body
    return found[1]
