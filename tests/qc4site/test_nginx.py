"""The reverse proxy's configuration: it is valid, knows every limit of the site, and stands the same attacks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.urls import reverse

from qc4site.body_limits import FEW_FIELDS, TAKES
from tests.jobs.sandbox import free_port, wait_for
from tests.patience import PATIENCE
from tests.places import ROOT
from tests.qc4site.running import Running, Site
from tests.qc4site.wire import Wire, asked, head

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
SITE_CONFIGURATION = ROOT / "deploy" / "nginx.conf"
PUSH = "/api/v1/collections/a/submissions"
MEBIBYTE = 1024 * 1024
ARGUMENTS = {"slug": "a-b", "key": "a/b c", "pk": 7}

needs_nginx = pytest.mark.skipif(not Path(NGINX).exists(), reason="nginx is not installed")


@pytest.mark.parametrize("address", [*TAKES, "sign-in", "api:runs"])
def test_it_takes_what_the_site_takes(address: str) -> None:
    takes = TAKES.get(address, FEW_FIELDS)
    assert _limit_at(_path_of(address)) == -(-takes.most // MEBIBYTE)


def _path_of(name: str) -> str:
    for names in ((), ("slug",), ("pk",), ("slug", "key")):
        try:
            return reverse(name, kwargs={each: ARGUMENTS[each] for each in names}).replace("%20", " ")
        except Exception:
            continue
    raise AssertionError(name)


def _limit_at(path: str) -> int:
    """In megabytes, by the first location with a pattern that fits."""
    text = SITE_CONFIGURATION.read_text()
    for pattern, rules in re.findall(r"location ~ (\S+) \{(.*?)\}", text, re.DOTALL):
        if re.search(pattern, path):
            return int(re.findall(r"client_max_body_size (\d+)m;", rules)[0])
    return int(re.findall(r"client_max_body_size (\d+)m;", text)[0])


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[tuple[Running, int]]:
    """A site behind nginx, and the port of that."""
    running, port = Running(Site()), free_port()
    settings = tmp_path / "nginx.conf"
    settings.write_text(_configuration(tmp_path, port, running.port))
    subprocess.run([NGINX, "-t", "-q", "-c", settings], check=True)
    nginx = subprocess.Popen([NGINX, "-c", settings])
    try:
        wait_for(lambda: _listens(port), "nginx listens")
        yield running, port
    finally:
        nginx.terminate()
        nginx.wait(PATIENCE)
        running.close()


def _configuration(folder: Path, port: int, site: int) -> str:
    """Ours on loopback and without TLS, in the frame that Debian's gives it."""
    text = SITE_CONFIGURATION.read_text()
    text = re.sub(r"listen 443 ssl http2;", f"listen 127.0.0.1:{port};", text)
    text = re.sub(r"\n *(listen \[::\]|ssl_certificate|ssl_session_cache).*;", "", text)
    text = re.sub(r"listen 80;", f"listen 127.0.0.1:{free_port()};", text)
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{site}").replace("bench.example.org", "localhost")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    user = "user root;" if os.getuid() == 0 else ""
    frame = f"daemon off; pid {folder}/pid; error_log {folder}/error.log; {user}\nevents {{}}\n"
    return f"{frame}http {{\naccess_log off;\n{folders}{text}}}\n"


def _listens(port: int) -> bool:
    try:
        return asked(port, head("GET", "/", Connection="close")).status == 200
    except (OSError, IndexError):
        return False


@needs_nginx
def test_it_stands_the_same_attacks(behind: tuple[Running, int]) -> None:
    running, port = behind
    with ExitStack() as attack:
        for _ in range(8):
            sent = head("POST", PUSH, Content_Length=900_000) + b"x" * 10_000
            attack.enter_context(Wire(port).send(sent))
            attack.enter_context(Wire(port).send(head("POST", "/sign-in/", Content_Length=900_000) + b"x"))
        for _ in range(40):
            attack.enter_context(Wire(port).send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-"))
        running.site.person = "berta"
        for _ in range(5):
            assert asked(port, head("GET", "/", Connection="close")).status == 200


@needs_nginx
def test_refusals_arrive_through_it_and_bodies_too(behind: tuple[Running, int]) -> None:
    _, port = behind
    for address, length, words in (
        # The proxy's own limit, on a page and in the shape of the API; then the site's.
        ("/sign-in/", 20_000_000, b"Too Large"),
        ("/api/v1/runs", 20_000_000, b'"too-large"'),
        (PUSH, 20_000_000, b"too large"),
    ):
        with Wire(port) as wire:
            wire.send(head("POST", address, Connection="close", Content_Length=length))
            for _ in range(length // 1_000_000):
                wire.send(b"x" * 1_000_000)
            heard = wire.hear()
        assert (heard.status, words in heard.body, heard.reset) == (413, True, False)
    with Wire(port) as wire:
        wire.send(head("POST", PUSH, Connection="close", Content_Length=900_000))
        for _ in range(9):
            wire.send(b"x" * 100_000)
        assert wire.hear().body == b"900000"


@needs_nginx
def test_what_a_client_claims_about_itself_ends_there(behind: tuple[Running, int]) -> None:
    running, port = behind
    claims = {"X_Forwarded_For": "10.1.1.1", "X_Forwarded_Proto": "https", "X_Forwarded_Host": "evil", "Forwarded": "x"}
    asked(port, head("GET", "/", Connection="close", **claims))
    heard = running.site.heads[-1]
    assert (heard["HTTP_X_FORWARDED_FOR"], heard["HTTP_X_FORWARDED_PROTO"]) == ("127.0.0.1", "http")
    assert not {"HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED"} & set(heard)
