"""All rate limits of the site, in one table: of pages, the API, signing in, secrets and e-mails.

`accounts.throttles` counts by it. Operators set the rates: `qc4site.configuration.options` makes a setting of each row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

UNITS = {
    "s": 1,
    "sec": 1,
    "second": 1,
    "m": 60,
    "min": 60,
    "minute": 60,
    "h": 3600,
    "hour": 3600,
    "d": 86400,
    "day": 86400,
}
_WRITTEN = re.compile(rf"([0-9]{{1,9}})/([0-9]{{0,6}})({'|'.join(UNITS)})")


class Rate(NamedTuple):
    """The most events within a period.

    Attributes:
        number: how many events; at least one.
        seconds: the length of the period.
    """

    number: int
    seconds: int


def read_rate(text: str) -> Rate:
    """Read a rate such as ``20/min`` or ``10/15min``.

    Raises:
        ValueError: the text is not a rate.
    """
    match = _WRITTEN.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a rate such as 20/min")
    number, periods, unit = int(match[1]), int(match[2] or 1), match[3]
    if not number or not periods:
        raise ValueError(f"{text!r} allows nothing")
    return Rate(number, periods * UNITS[unit])


class Where(Enum):
    """Where events are counted, and so which processes count together."""

    EACH_HOST = "Counted on each host separately."
    ALL_HOSTS = "Counted for all hosts together."


@dataclass(frozen=True, slots=True)
class Limit:
    """A row of the table.

    Attributes:
        setting: the variable with which an operator sets the rate.
        default: the rate, unless an operator sets another one.
        about: which events are counted and for whom, as a sentence for operators.
        where: where they are counted.
    """

    setting: str
    default: str
    about: str
    where: Where


LIMITS: dict[str, Limit] = {
    # Requests. The counts keep order on a host, and no request waits for the database because of them.
    "anon": Limit(
        "API_RATE_ANONYMOUS", "120/min", "API requests of one address without a token or session.", Where.EACH_HOST
    ),
    "user": Limit(
        "API_RATE_USER", "600/min", "API requests of one person, except those about drafts.", Where.EACH_HOST
    ),
    "drafts": Limit("API_RATE_DRAFTS", "3000/min", "API requests of one person about drafts.", Where.EACH_HOST),
    "upload": Limit("API_RATE_UPLOAD", "60/min", "API requests of one person that send files.", Where.EACH_HOST),
    "pages-anon": Limit("PAGE_RATE_ANONYMOUS", "600/min", "Pages for one address without an account.", Where.EACH_HOST),
    "pages": Limit("PAGE_RATE_USER", "1200/min", "Pages for one person.", Where.EACH_HOST),
    "pages-heavy": Limit(
        "PAGE_RATE_HEAVY",
        "60/min",
        "Pages and files that take long to compute, for one person or one address without an account.",
        Where.EACH_HOST,
    ),
    "answers": Limit(
        "ANSWER_RATE",
        "240/hour",
        "Results that take long to compute and are not stored yet, for one person or one address without an account.",
        Where.EACH_HOST,
    ),
    "answers-visitors": Limit(
        "ANSWER_RATE_VISITORS",
        "600/hour",
        "The same for all visitors without an account together.",
        Where.EACH_HOST,
    ),
    # Secrets, accounts and e-mails. These counts are exact, and nobody can make the site forget them.
    "login": Limit(
        "API_RATE_LOGIN",
        "20/min",
        "Wrong passwords and codes from one address. Wrong tokens, failed returns from an OpenID Connect provider and "
        "wrong passwords of an account that is signed in are counted separately with the same rate.",
        Where.ALL_HOSTS,
    ),
    "name": Limit("SIGN_IN_RATE", "10/15min", "Wrong passwords for one name from one address.", Where.ALL_HOSTS),
    "device": Limit(
        "DEVICE_RATE",
        "30/hour",
        "Wrong passwords for one account from a browser that has signed in to it before.",
        Where.ALL_HOSTS,
    ),
    "code": Limit(
        "CODE_RATE",
        "10/day",
        "Wrong codes of the second factor for one account after the right password. Each browser that has signed in to "
        "the account before has a count of its own.",
        Where.ALL_HOSTS,
    ),
    "sign-up": Limit("SIGN_UP_RATE", "30/hour", "New accounts from one address.", Where.ALL_HOSTS),
    "forgotten": Limit("FORGOTTEN_RATE", "20/hour", "Requests for a new password from one address.", Where.ALL_HOSTS),
    "password-link": Limit(
        "PASSWORD_LINK_RATE",
        "3/hour",
        "Requests for a new password for one user name or e-mail address.",
        Where.ALL_HOSTS,
    ),
    "e-mail": Limit("EMAIL_RATE", "20/day", "E-mails of each kind to one account.", Where.ALL_HOSTS),
}
"""The limits by name. ``settings.RATES`` has the rates in force by the same names."""
