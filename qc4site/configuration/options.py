"""Every setting of the site, declared once with its type, default and help.

`.env.example` and docs/users/settings.md are made from this file: `make options` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url

import qc4site
from common.rates import LIMITS
from qc4site.configuration.environment import (
    Contradiction,
    Declared,
    Derived,
    Kind,
    Option,
    Section,
    choice,
    flag,
    number,
    rate,
    several,
    text,
    whole,
)
from qc4site.configuration.mail import CONSOLE, mail_settings

PROJECT = Path(str(qc4site.__file__)).resolve().parent.parent
INSECURE_KEY = "insecure-key-for-development-only-never-outside-debug-mode"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
HOST_NAME = r"\*|\.?[\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:.]+\]"
ENDPOINT_HOST = r"(?!-)[a-z0-9.-]+(?<![.-])(:[0-9]{1,5})?"
ORIGIN = r"https?://(\*\.)?([\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:.]+\])(:\d+)?"


def database(given: str) -> str:
    """Return the URL of a database, or raise ValueError."""
    if urlsplit(given).scheme not in {"sqlite", "postgres", "postgresql"}:
        raise ValueError("not the URL of SQLite or PostgreSQL")
    dj_database_url.parse(given)
    return given


def broker(given: str) -> str:
    """Return the URL of a message broker, or nothing, or raise ValueError."""
    parts = urlsplit(given)
    known = parts.scheme in {"redis", "rediss", "amqp", "amqps"}
    if given and (not known or not given.startswith(f"{parts.scheme}://") or parts.port == 0):
        raise ValueError("not the URL of a broker")
    return given


def web_site(given: str) -> str:
    """Return the URL of a web site without the slash at its end, or raise ValueError."""
    parts = urlsplit(given)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise ValueError("not the URL of a web site")
    return given.rstrip("/")


def issuer(given: str) -> str:
    """Return the URL of an OpenID Connect provider, or raise ValueError. HTTP is for a provider on this machine."""
    if given and urlsplit(web_site(given)).scheme == "http" and urlsplit(given).hostname not in LOOPBACK:
        raise ValueError("not encrypted")
    return given


def hosts(given: str) -> tuple[str, ...]:
    """Return host names, with a port where it is not the usual one, in lower case, or raise ValueError."""
    names = tuple(name.strip().lower() for name in given.split(",") if name.strip())
    if not all(re.fullmatch(ENDPOINT_HOST, name) for name in names):
        raise ValueError("not the names of hosts")
    return names


class Options(Declared):
    """The settings in the order in which `.env.example` and the documentation show them."""

    former = {
        "SIGN_UP_OPEN": "SIGN_UP_OPEN is now called SIGN_UP, which is open, invitation or closed.",
        "WEB_PROCESSES": "WEB_PROCESSES no longer exists: a web server is one process. Remove the setting. If one "
        "process is not enough, run several instances behind a proxy (deploy/README.md).",
    }
    prefixes = ("API_RATE_", "PAGE_RATE_", "OIDC_", "QUOTA_PERSON_", "QUOTA_COLLECTION_")

    keys = Section("Secret key")
    SECRET_KEY = Option(
        text("at least 40 characters", is_secret=True),
        "",
        "Signs sessions and forms. It needs at least 40 random characters, and the site does not start without it. "
        "`make run` writes one into `.env`.",
    )
    SECRET_KEY_FALLBACKS = Option(
        several("keys with commas between them", is_secret=True),
        "",
        "Former secret keys, separated by commas. After you change `SECRET_KEY`, they keep sessions and links working "
        "and keep the names of deleted accounts reserved.",
    )
    DEBUG = Option(
        flag(),
        "0",
        "Shows tracebacks in the browser and allows a missing `SECRET_KEY`. Use 1 on your own machine only.",
    )

    web = Section("Web server")
    ALLOWED_HOSTS = Option(
        several("host names with commas between them, without scheme, port or path", HOST_NAME),
        "localhost,127.0.0.1,[::1]",
        "The host names under which people open the site.",
    )
    PORT = Option(whole(1, 65535), "8000", "The port on which `manage.py serve` listens.")
    HOST = Option(
        text("an IPv4 address, an IPv6 address or a name of this machine", r"[^\s/]+"),
        "127.0.0.1",
        "The address on which `manage.py serve` listens.",
    )
    WEB_THREADS = Option(
        whole(1),
        "8",
        "The number of threads of the web server. Slow requests use at most half of them. For more than one web "
        "server, read [deploy/README.md](../../deploy/README.md).",
    )

    internet = Section("Opening the site to others", "Read [deploy/README.md](../../deploy/README.md) first.")
    HTTPS = Option(
        flag(),
        "0",
        "Use 1 behind a proxy that terminates TLS and sets `X-Forwarded-Proto`: cookies are then secure, HTTP is "
        "redirected, and HSTS is on. It needs `TRUSTED_PROXIES`.",
    )
    TRUSTED_PROXIES = Option(
        whole(),
        "0",
        "The number of proxies in front of the site. They are believed about HTTPS and about the caller's address "
        "(`X-Forwarded-For`), so nobody else may be able to reach the port.",
    )
    CSRF_TRUSTED_ORIGINS = Option(
        several("origins such as https://bench.example.org, with commas between them", ORIGIN),
        "",
        "The origins from which forms are accepted besides the host that is asked: the public URL of the site behind "
        "a proxy.",
        "https://bench.example.org",
    )
    SITE_ADDRESS = Option(
        Kind("a URL such as https://bench.example.org", web_site),
        Derived("`http://127.0.0.1` with `PORT`", lambda o: f"http://127.0.0.1:{o.PORT}"),
        "The public URL of the site. Links in e-mails begin with it.",
        "https://bench.example.org",
    )

    storage = Section("Data")
    QC4_DATA_DIR = Option(
        text("a folder"),
        Derived("`var` in the project's folder", lambda _: str(PROJECT / "var")),
        "The folder for the SQLite database and the uploads. Only the account that runs the site can read "
        "it (modes 0700 and 0600, whatever the umask), so run all processes of the site as one account.",
        "var",
    )
    DATABASE_URL = Option(
        Kind("a URL such as postgres://user:password@host:5432/name or sqlite:////path/to/file", database, True),
        Derived("SQLite in `QC4_DATA_DIR`", lambda o: f"sqlite:///{Path(o.QC4_DATA_DIR).resolve() / 'qc4.sqlite3'}"),
        "The database: set it to use PostgreSQL. Connections ask PostgreSQL not to compile queries (`-c jit=off`). If "
        "a pooler rejects such options, end the URL with `?options=`.",
        "postgres://qc4:secret@db.example.org:5432/qc4",
    )
    CELERY_BROKER_URL = Option(
        Kind("a URL that begins with amqp://, amqps://, redis:// or rediss://", broker, True),
        "",
        "RabbitMQ or Redis, to wake workers at once. No job needs it: without it, an idle worker looks for jobs twice "
        "a second.",
        "amqp://qc4:secret@queue.example.org:5672//",
        "redis://queue.example.org:6379/0",
    )

    accounts = Section("Accounts")
    SIGN_UP = Option(
        choice("closed", "invitation", "open"),
        Derived("`closed` with `HTTPS=1`, otherwise `open`", lambda o: "closed" if o.HTTPS else "open"),
        "Who can create an account. `open`: everyone. `invitation`: anyone with an invitation to a collection or a "
        "link made by `manage.py sign_up_link`. `closed`: nobody; `manage.py ensure_user` creates accounts.",
        "invitation",
    )
    PASSWORD_LINK_HOURS = Option(number(1), "24", "How many hours a link to set a new password works.")
    ADMIN_PATH = Option(
        text("a path such as administration/", r"[\w./~-]*[\w~-][\w./~-]*"),
        "administration/",
        "The URL path of the administration, for the accounts that `manage.py administrator` admits.",
    )
    ADMIN_SECOND_FACTOR = Option(
        flag(),
        Derived("1 with `HTTPS=1`, otherwise 0", lambda o: "1" if o.HTTPS else "0"),
        "Whether the administration needs a second factor.",
        "1",
    )

    provider = Section(
        "Signing in with an OpenID Connect provider",
        "People can sign in with a provider, such as that of a university, as well as with a password. Register "
        "`SITE_ADDRESS/sign-in/provider/back/` at the provider as the redirect URI.",
    )
    OIDC_ISSUER = Option(
        Kind("an https URL such as https://id.example.org, without user name and query", issuer),
        "",
        "The issuer. Its discovery document is below this URL, and everything the document names must be on the same "
        "host or on one of `OIDC_HOSTS`. HTTP is allowed for a provider on this machine only.",
        "https://id.example.org",
    )
    OIDC_CLIENT_ID = Option(text(), "", "The client ID that the provider gave to this site.", "qc4-bench")
    OIDC_CLIENT_SECRET = Option(text(is_secret=True), "", "The client secret that the provider gave to this site.")
    OIDC_NAME = Option(
        text(),
        Derived("the host of `OIDC_ISSUER`", lambda o: urlsplit(o.OIDC_ISSUER).hostname or ""),
        "The name of the provider on buttons.",
        "Example University",
    )

    OIDC_HOSTS = Option(
        Kind("host names such as oauth2.example.org, with commas between them, without https:// and path", hosts),
        "",
        "The hosts besides the issuer's on which endpoints of the provider may be. Google, whose issuer is "
        "https://accounts.google.com, needs `oauth2.googleapis.com,www.googleapis.com`.",
        "oauth2.example.org,keys.example.org",
    )

    mail = Section("E-mail", "E-mails are written to the terminal of `manage.py serve` unless you set a mail server.")
    EMAIL_URL = Option(
        Kind(
            "console:, smtp://user:password@host:587?tls=1, smtp://host:25 or smtps://user:password@host:465, with "
            "special characters of the password as %XX",
            mail_settings,
            True,
        ),
        CONSOLE,
        "The mail server. With `?tls=1` the connection is encrypted by STARTTLS, with `smtps://` from the first byte, "
        "otherwise not at all. Write special characters of a password as %XX: `@` is `%40`. A mail server also needs "
        "`EMAIL_FROM` and `SITE_ADDRESS`.",
        "smtp://user:password@mail.example.org:587?tls=1",
    )
    EMAIL_FROM = Option(
        text("an e-mail address, with or without a name before it", r"[^\r\n]+@[^\r\n]+"),
        "QC4 Bench <bench@localhost>",
        "The sender of e-mails.",
        "QC4 Bench <bench@example.org>",
    )

    quotas = Section(
        "Quotas",
        "What one person and one collection may [store](account.md#what-you-store). 0 means no limit. "
        "`manage.py quota` sets other quotas for single people and collections.",
    )
    QUOTA_PERSON_GB = Option(number(), "10", "Gigabytes for each person.")
    QUOTA_PERSON_ROWS = Option(whole(), "50000000", "Database rows for each person.")
    QUOTA_COLLECTION_GB = Option(number(), "20", "Gigabytes for each collection.")
    QUOTA_COLLECTION_ROWS = Option(whole(), "200000000", "Database rows for each collection.")
    FREE_SPACE_MB = Option(
        number(),
        "500",
        "Megabytes that must stay free on the disk of `QC4_DATA_DIR`. With less, the site stores nothing more.",
    )

    jobs = Section("Jobs")
    JOB_LEASE_SECONDS = Option(
        number(1), "60", "Seconds after which the job of a silent worker is given to another worker."
    )
    JOB_SWEEP_SECONDS = Option(number(0.2), "15", "Seconds between two searches for jobs that are stuck.")
    JOB_MAX_ATTEMPTS = Option(whole(1), "4", "How often a job is started before it fails.")
    JOB_TIME_LIMIT_SECONDS = Option(number(1), "21600", "Seconds after which a running job fails.")
    JOB_LIMIT_PER_USER = Option(whole(1), "20", "The most unfinished jobs of one person in each queue.")
    JOB_LIMIT_TOTAL = Option(whole(1), "500", "The most unfinished jobs of the site.")
    JOB_FAN_OUT_MEMBERSHIPS = Option(
        whole(), "200000", "The number of memberships from which several workers share one evaluation."
    )
    JOB_QUEUE_PREFIX = Option(
        text("letters, digits, dots, hyphens and underscores", r"[\w.-]+"),
        "qc4.",
        "The beginning of names on the broker. Use a different one for each site that shares a broker.",
    )

    log = Section("Log")
    LOG_LEVEL = Option(
        choice("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
        "WARNING",
        "The least important messages to log. `INFO` logs every run, wake-up call and search for stuck jobs.",
        "INFO",
    )

    limits = Section(
        "Rate limits",
        "Each rate is the most events in one period: a number per s, min, hour or day, such as 600/min, or per several "
        "of them, such as 10/15min. A period begins with its first event.",
    )
    vars().update(
        {each.setting: Option(rate(), each.default, f"{each.about} {each.where.value}") for each in LIMITS.values()}
    )

    def contradictions(self) -> Iterator[Contradiction]:
        if not self.DEBUG and (self.SECRET_KEY == INSECURE_KEY or len(self.SECRET_KEY) < 40):
            yield (
                ("DEBUG", "SECRET_KEY"),
                "SECRET_KEY is missing or shorter than 40 characters. Set it in the environment or in .env "
                "(`make run` writes one for you), or set DEBUG=1 on your own machine.",
            )
        if self.HTTPS and not self.TRUSTED_PROXIES:
            yield (
                ("HTTPS", "TRUSTED_PROXIES"),
                "HTTPS=1 needs TRUSTED_PROXIES, the number of proxies in front of the site (1 for one nginx), because "
                "only a proxy can say in X-Forwarded-Proto that a caller uses HTTPS. Without a proxy, use HTTPS=0.",
            )
        if "EMAIL_HOST" in self.EMAIL_URL:
            missing = [name for name in ("EMAIL_FROM", "SITE_ADDRESS") if not self.is_given(name)]
            if missing:
                yield (
                    ("EMAIL_URL", "EMAIL_FROM", "SITE_ADDRESS"),
                    f"EMAIL_URL names a mail server, so you must also set {' and '.join(missing)}.",
                )
        if self.OIDC_ISSUER and not (self.OIDC_CLIENT_ID and self.OIDC_CLIENT_SECRET):
            yield (
                ("OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"),
                "OIDC_ISSUER is set, so you must also set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, which the provider "
                "gave you.",
            )
