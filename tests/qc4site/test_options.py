"""Settings: how they are declared and read, and that every mistake in them stops the start with a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from qc4site.configuration.environment import Derived, SettingsError, read
from qc4site.configuration.option_documents import DOCUMENTS
from qc4site.configuration.options import INSECURE_KEY, Options
from tests.paths import ROOT

KEY = {"SECRET_KEY": "k" * 40}
HTTPS = {"HTTPS": "1", "TRUSTED_PROXIES": "1"}
OIDC = {"OIDC_ISSUER": "https://id.example.org", "OIDC_CLIENT_ID": "x", "OIDC_CLIENT_SECRET": "y"}
MAIL = {
    "EMAIL_URL": "smtp://u:secret@host", "EMAIL_FROM": "bench@example.org", "SITE_ADDRESS": "https://bench.example.org",
}  # fmt: skip
NO_FILE = Path("no such file")


def given(**environment: str) -> Options:
    return read(Options, KEY | environment, NO_FILE)


def mistakes(environment: dict[str, str], file: Path = NO_FILE) -> list[str]:
    """Return the sentences with which the start ends."""
    with pytest.raises(SettingsError) as error:
        read(Options, KEY | environment, file)
    return list(error.value.sentences)


# --- The declaration --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", Options.options())
def test_the_default_and_the_examples_of_an_option_are_allowed(name: str) -> None:
    option = Options.options()[name]
    getattr(given(), name)
    for example in option.examples:
        assert option.kind.parse(example)
    assert isinstance(option.default, Derived) or not option.default or option.kind.parse(option.default) is not None


@pytest.mark.parametrize("name", Options.options())
def test_the_help_of_an_option_is_sentences(name: str) -> None:
    option = Options.options()[name]
    assert option.about[0].isupper()
    assert option.about.endswith(".")
    assert not option.kind.allowed.endswith(".")


def test_without_any_setting_there_are_defaults() -> None:
    options = given()
    assert (options.DEBUG, options.PORT, options.JOB_SWEEP_SECONDS) == (False, 8000, 15.0)
    assert options.ALLOWED_HOSTS == ("localhost", "127.0.0.1", "[::1]")
    assert options.CSRF_TRUSTED_ORIGINS == ()
    assert options.DATABASE_URL.endswith("/var/qc4.sqlite3")
    assert options.OIDC_ISSUER == options.OIDC_NAME == ""


def test_defaults_follow_other_settings() -> None:
    assert given(PORT="8123").SITE_ADDRESS == "http://127.0.0.1:8123"
    assert given(QC4_DATA_DIR="/srv/qc4").DATABASE_URL == "sqlite:////srv/qc4/qc4.sqlite3"
    assert given(**OIDC).OIDC_NAME == "id.example.org"
    assert (given().SIGN_UP, given().ADMIN_SECOND_FACTOR) == ("open", False)
    assert (given(**HTTPS).SIGN_UP, given(**HTTPS).ADMIN_SECOND_FACTOR) == ("closed", True)
    assert given(**HTTPS, SIGN_UP="Invitation").SIGN_UP == "invitation"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_the_documents_about_settings_are_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == DOCUMENTS[path](), "run `make options`"


# --- Values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("DEBUG", "Yes", True),
        ("DEBUG", "off", False),
        ("DEBUG", "", False),
        ("QUOTA_PERSON_ROWS", "5e7", 50_000_000),
        ("QUOTA_PERSON_GB", "0.5", 0.5),
        ("JOB_MAX_ATTEMPTS", " 7 ", 7),
        ("LOG_LEVEL", "info", "INFO"),
        ("API_RATE_USER", "10/15min", "10/15min"),
        ("ALLOWED_HOSTS", "a.example.org, .example.com,*,[::1],", ("a.example.org", ".example.com", "*", "[::1]")),
        ("CSRF_TRUSTED_ORIGINS", "https://*.example.org,http://[::1]:8000", ("https://*.example.org", "http://[::1]:8000")),
        ("SITE_ADDRESS", "https://bench.example.org/", "https://bench.example.org"),
        ("CELERY_BROKER_URL", "rediss://:secret@queue.example.org:6379/0", "rediss://:secret@queue.example.org:6379/0"),
        ("DATABASE_URL", "sqlite://:memory:", "sqlite://:memory:"),
        ("HOST", "[::1]", "[::1]"),
    ],
)  # fmt: skip
def test_an_allowed_value_is_read(name: str, value: str, expected: object) -> None:
    assert getattr(given(**{name: value}), name) == expected


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("DEBUG", "maybe", "1 or 0"),
        ("PORT", "http", "a whole number from 1 to 65535"),
        ("PORT", "0", "a whole number from 1 to 65535"),
        ("PORT", "65536", "a whole number from 1 to 65535"),
        ("WEB_THREADS", "0", "a whole number of at least 1"),
        ("WEB_THREADS", "2.5", "a whole number of at least 1"),
        ("JOB_MAX_ATTEMPTS", "inf", "a whole number of at least 1"),
        ("JOB_SWEEP_SECONDS", "0.1", "a number of at least 0.2"),
        ("JOB_SWEEP_SECONDS", "nan", "a number of at least 0.2"),
        ("QUOTA_PERSON_GB", "10 GB", "a number of at least 0"),
        ("SIGN_UP", "maybe", "closed, invitation or open"),
        ("LOG_LEVEL", "LOUD", "DEBUG, INFO, WARNING, ERROR or CRITICAL"),
        ("API_RATE_USER", "10/fortnight", "a rate such as 600/min"),
        ("API_RATE_USER", "ten/min", "a rate such as 600/min"),
        ("API_RATE_USER", "0/min", "a rate such as 600/min"),
        ("API_RATE_USER", "10/0min", "a rate such as 600/min"),
        ("API_RATE_USER", "10", "a rate such as 600/min"),
        ("ALLOWED_HOSTS", "https://bench.example.org", "host names with commas between them"),
        ("ALLOWED_HOSTS", "localhost:8000", "host names with commas between them"),
        ("CSRF_TRUSTED_ORIGINS", "bench.example.org", "origins such as https://bench.example.org"),
        ("SITE_ADDRESS", "bench.example.org", "a URL such as https://bench.example.org"),
        ("ADMIN_PATH", "/", "a path such as administration/"),
        ("ADMIN_PATH", "a<b>", "a path such as administration/"),
        ("EMAIL_FROM", "nobody", "an e-mail address"),
        ("JOB_QUEUE_PREFIX", "a/b", "letters, digits, dots"),
        ("OIDC_ISSUER", "http://id.example.org", "an https URL"),
        ("OIDC_ISSUER", "id.example.org", "an https URL"),
        ("OIDC_ISSUER", "https://u@id.example.org", "an https URL"),
        ("OIDC_ISSUER", "https://", "an https URL"),
    ],
)
def test_another_value_is_quoted_with_what_is_allowed(name: str, value: str, allowed: str) -> None:
    [sentence] = mistakes({name: value})
    assert sentence.startswith(f"{name} is {value!r}, but must be {allowed}")
    assert sentence.endswith(".")


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("CELERY_BROKER_URL", "foo://u:secret@host", "a URL that begins with amqp://"),
        ("CELERY_BROKER_URL", "redis:secret", "a URL that begins with amqp://"),
        ("CELERY_BROKER_URL", "amqp://u:secret@host:lots", "a URL that begins with amqp://"),
        ("DATABASE_URL", "mysql://u:secret@host/db", "a URL such as postgres://"),
        ("DATABASE_URL", "postgres://u:secret@host:lots/db", "a URL such as postgres://"),
        ("EMAIL_URL", "http://u:secret@host:25", "console:, smtp://"),
    ],
)
def test_a_value_that_may_hold_a_password_is_not_repeated(name: str, value: str, allowed: str) -> None:
    [sentence] = mistakes({name: value})
    assert sentence.startswith(f"{name} must be {allowed}")
    assert "secret" not in sentence


def test_all_mistakes_are_named_at_once() -> None:
    found = mistakes({"DEBUG": "maybe", "PORT": "x", "HTTPS": "1", "API_RATE_USER": "10/fortnight"})
    assert [sentence.split()[0] for sentence in found] == ["DEBUG", "PORT", "API_RATE_USER", "HTTPS=1"]


# --- Settings that do not go together ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY is missing or shorter than 40 characters"),
        ({"SECRET_KEY": "k" * 39}, "SECRET_KEY is missing or shorter than 40 characters"),
        ({"SECRET_KEY": INSECURE_KEY}, "SECRET_KEY is missing or shorter than 40 characters"),
        ({"HTTPS": "1"}, "HTTPS=1 needs TRUSTED_PROXIES"),
        (OIDC | {"OIDC_CLIENT_SECRET": ""}, "OIDC_ISSUER is set, so you must also set OIDC_CLIENT_ID"),
        (MAIL | {"EMAIL_FROM": ""}, "EMAIL_URL names a mail server, so you must also set EMAIL_FROM."),
        (MAIL | {"SITE_ADDRESS": ""}, "EMAIL_URL names a mail server, so you must also set SITE_ADDRESS."),
        ({"SIGN_UP_OPEN": "0"}, "SIGN_UP_OPEN is now called SIGN_UP"),
    ],
)
def test_a_contradiction_stops_the_start(environment: dict[str, str], sentence: str) -> None:
    [found] = mistakes(environment)
    assert found.startswith(sentence)


@pytest.mark.parametrize(
    "environment", [{"SECRET_KEY": "", "DEBUG": "1"}, HTTPS, OIDC, MAIL, {"EMAIL_URL": "console:"}]
)
def test_settings_that_go_together_start_the_site(environment: dict[str, str]) -> None:
    given(**environment)


def test_a_wrong_value_is_not_called_a_contradiction_too() -> None:
    [sentence] = mistakes({"HTTPS": "1", "TRUSTED_PROXIES": "lots"})
    assert sentence.startswith("TRUSTED_PROXIES is 'lots'")


# --- Names ------------------------------------------------------------------------------------------------------------


def test_the_file_is_read_and_the_environment_overrides_it(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("# a comment\n\nPORT = 8001\nHOST='::1'\nSIGN_UP=\n")
    environment = KEY | {"PORT": "8002"}
    options = read(Options, environment, file)
    assert (options.PORT, options.HOST, options.SIGN_UP) == (8002, "::1", "open")
    assert environment["HOST"] == "::1", "processes that are started from this one have it, too"


def test_every_wrong_line_of_the_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    lines = [
        "API_RATE_USR=1/min",
        "PASSWORD: secret",
        "COLOUR=secret",
        "PORT=x",
        "HOST=::1",
        "HOST=::2",
        "SIGN_UP_OPEN=1",
    ]
    file.write_text("\n".join(lines))
    found = mistakes({}, file)
    assert found == [
        ".env, line 1: API_RATE_USR is not a setting. Did you mean API_RATE_USER?",
        ".env, line 2: a line must be NAME=value, a comment or empty.",
        ".env, line 3: COLOUR is not a setting. Variables for other programs belong in the environment.",
        ".env, line 6: HOST is already set in line 5. Delete one of the two lines.",
        ".env, line 7: SIGN_UP_OPEN is now called SIGN_UP, which is open, invitation or closed.",
        ".env, line 4: PORT is 'x', but must be a whole number from 1 to 65535.",
    ]


def test_a_file_that_cannot_be_read_stops_the_start(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"OIDC_NAME=Universit\xe4t")
    assert mistakes({}, file) == [f"{file} cannot be read: it is not UTF-8 text."]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("API_RATE_USR", "Did you mean API_RATE_USER?"), ("debug", "Did you mean DEBUG?"),
        ("TRUSTED_PROXYS", "Did you mean TRUSTED_PROXIES?"), ("DATABASE_URI", "Did you mean DATABASE_URL?"),
        ("OIDC_ZZZZZZZZZZZZZZ", "no effect."),
    ],
)  # fmt: skip
def test_a_variable_that_looks_like_a_setting_is_a_warning(name: str, hint: str) -> None:
    [warning] = given(**{name: "x"}).warnings
    assert warning.startswith(f"The environment variable {name} is not a setting and has no effect.")
    assert warning.endswith(hint)


def test_variables_of_other_programs_are_no_warnings() -> None:
    names = "PATH HOME HOSTNAME LOGNAME USER PWD TERM EMAIL JOB_NAME HTTPS_PROXY http_proxy QC4_TOKEN QC4_URL PGHOST"
    assert given(**dict.fromkeys(names.split(), "x")).warnings == ()


# --- The start --------------------------------------------------------------------------------------------------------


def check(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "qc4site.settings", "QC4_DATA_DIR": str(folder)} | environment,
    )  # fmt: skip


def test_the_start_ends_with_sentences_and_no_traceback(tmp_path: Path) -> None:
    done = check(tmp_path, API_RATE_USER="10/fortnight", CELERY_BROKER_URL="foo://host", DEBUG="maybe")
    assert done.returncode == 2
    assert done.stdout == ""
    head, *sentences = done.stderr.splitlines()
    assert head == "QC4 Bench cannot start because of its settings:"
    assert [sentence.split()[0] for sentence in sentences] == ["DEBUG", "CELERY_BROKER_URL", "API_RATE_USER"]


def test_a_folder_that_is_none_is_said_and_a_misspelt_name_is_a_warning(tmp_path: Path) -> None:
    (file := tmp_path / "file").touch()
    done = check(file)
    assert done.returncode == 2
    assert done.stderr.splitlines()[1:] == [f"  QC4_DATA_DIR is {str(file)!r}, which cannot be used: File exists."]
    done = check(tmp_path, API_RATE_USR="1/min")
    assert done.returncode == 0
    assert "API_RATE_USR is not a setting and has no effect. Did you mean API_RATE_USER?" in done.stderr
