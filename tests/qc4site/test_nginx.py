"""The reverse proxy: it has the site's limits on bodies, and withstands slow clients and floods."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from common.body_sizes import FEW_FIELDS
from common.routes import declared
from tests.paths import ROOT
from tests.qc4site.raw_http import Wire, asked, head
from tests.qc4site.server_thread import LARGE, Running, Site
from tests.qc4site.url_paths import path_of
from tests.waiting import PATIENCE, wait_for
from tests.work.sandbox import demanded, free_port

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
SITE_CONFIGURATION = ROOT / "deploy" / "nginx.conf"
PUSH = "/api/v1/collections/a/submissions"
MEBIBYTE = 1024 * 1024
ARGUMENTS = {"slug": "a-b", "key": "a/b c", "pk": 7}

SLOW = 8
"""Slow clients of a kind, of which two would take all threads of the site if each took one."""
OTHER = "127.0.0.2"
"""Another client address."""
OF_ONE_ADDRESS, LARGE_OF_ONE_ADDRESS = 100, 8
"""The limits in the configuration: requests under way, and those of them with large bodies."""


@pytest.mark.parametrize("address", [*(name for name, each in declared().items() if each.body), "sign-in", "api:runs"])
def test_it_takes_what_the_site_takes(address: str) -> None:
    accepted = declared()[address].body or FEW_FIELDS
    assert _limit_at(path_of(address, ARGUMENTS)) == -(-accepted.max_bytes // MEBIBYTE)


def _limit_at(path: str) -> int:
    """In megabytes, by the first location with a pattern that fits."""
    text = SITE_CONFIGURATION.read_text()
    for pattern, rules in re.findall(r"location ~ (\S+) \{(.*?)\}", text, re.DOTALL):
        if re.search(pattern, path):
            return int(re.findall(r"client_max_body_size (\d+)m;", rules)[0])
    return int(re.findall(r"client_max_body_size (\d+)m;", text)[0])


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[tuple[Running, int]]:
    """A site behind nginx, and the port of nginx."""
    running = Running(Site())
    try:
        with proxy(tmp_path, running) as port:
            yield running, port
    finally:
        running.close()


@contextmanager
def proxy(folder: Path, *instances: Running) -> Iterator[int]:
    """Run nginx in front of these instances of the site, and give its port."""
    if not Path(NGINX).exists():
        (pytest.fail if demanded("nginx") else pytest.skip)("nginx is not installed")
    port, settings = free_port(), folder / "nginx.conf"
    settings.write_text(_configuration(folder, port, [instance.port for instance in instances]))
    subprocess.run([NGINX, "-t", "-q", "-c", settings], check=True)
    nginx = subprocess.Popen([NGINX, "-c", settings])
    try:
        wait_for(lambda: _listens(port), "nginx listens")
        yield port
    finally:
        nginx.terminate()
        nginx.wait(PATIENCE)


def _configuration(folder: Path, port: int, sites: Sequence[int]) -> str:
    """Ours on loopback and without TLS, in the frame that Debian's gives it."""
    text = SITE_CONFIGURATION.read_text()
    text = re.sub(r"listen 443 ssl http2;", f"listen 127.0.0.1:{port};", text)
    text = re.sub(r"\n *(listen \[::\]|ssl_certificate|ssl_session_cache).*;", "", text)
    text = re.sub(r"listen 80;", f"listen 127.0.0.1:{free_port()};", text)
    servers = "\n".join(f"server 127.0.0.1:{site};" for site in sites)
    text = text.replace("server 127.0.0.1:8000;", servers).replace("bench.example.org", "localhost")
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


def assert_answers(port: int) -> None:
    """The site answers another client at once."""
    for _ in range(5):
        assert asked(port, head("GET", "/", Connection="close"), OTHER).status == 200


def test_slow_heads_and_bodies_do_not_reach_the_site(behind: tuple[Running, int]) -> None:
    running, port = behind
    before = len(running.site.heads)
    with ExitStack() as attack:
        for address in (PUSH, "/new/", "/sign-in/"):
            for _ in range(SLOW):
                sent = head("POST", address, Content_Length=900_000) + b"x" * 10_000
                attack.enter_context(Wire(port).send(sent))
        for _ in range(40):
            attack.enter_context(Wire(port).send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-"))
        assert_answers(port)
    assert {heard["REQUEST_METHOD"] for heard in running.site.heads[before:]} == {"GET"}


def test_slow_readers_take_no_thread_of_the_site(behind: tuple[Running, int]) -> None:
    running, port = behind
    with ExitStack() as attack:
        readers = [
            attack.enter_context(Wire(port).send(head("GET", "/large", Connection="close"))) for _ in range(SLOW)
        ]
        wait_for(lambda: sum(heard["PATH_INFO"] == "/large" for heard in running.site.heads) == SLOW, "all are asked")
        assert_answers(port)
        assert [len(reader.hear().body) for reader in readers] == [LARGE] * SLOW


def test_a_flood_from_one_address_keeps_nobody_else_out(behind: tuple[Running, int]) -> None:
    _, port = behind
    with ExitStack() as flood:
        for _ in range(OF_ONE_ADDRESS):
            flood.enter_context(Wire(port).send(head("POST", "/sign-in/", Content_Length=900_000) + b"x"))
        for _ in range(OF_ONE_ADDRESS):
            flood.enter_context(Wire(port))
        one_more = head("GET", "/api/v1/runs", Connection="close")
        refused = wait_for(lambda: (found := asked(port, one_more)).status == 429 and found, "the limit is reached")
        assert b'"too-many-requests"' in refused.body
        assert b"Retry-After: 30" in refused.raw
        assert_answers(port)


def test_large_bodies_from_one_address_are_limited(behind: tuple[Running, int]) -> None:
    _, port = behind
    large = head("POST", PUSH, Connection="close", Content_Length=2_000_000)
    with ExitStack() as flood:
        for _ in range(LARGE_OF_ONE_ADDRESS - 1):
            flood.enter_context(Wire(port).send(large + b"x"))
        flood.enter_context(Wire(port).send(head("POST", PUSH, Transfer_Encoding="chunked") + b"1\r\nx"))
        wait_for(lambda: asked(port, large + b"x" * 2_000_000).status == 429, "the limit is reached")
        assert asked(port, large + b"x" * 2_000_000, OTHER).body == b"2000000"
        small = head("POST", PUSH, Connection="close", Content_Length=900_000)
        assert asked(port, small + b"x" * 900_000).body == b"900000"


def test_bodies_are_refused_by_size_and_the_refusal_arrives(behind: tuple[Running, int]) -> None:
    _, port = behind
    for address, length, words in (
        ("/sign-in/", 20_000_000, b"Too Large"),
        ("/api/v1/runs", 20_000_000, b'"too-large"'),
        (PUSH, 70_000_000, b'"too-large"'),
    ):
        with Wire(port) as wire:
            wire.send(head("POST", address, Connection="close", Content_Length=length))
            for _ in range(length // 1_000_000):
                wire.send(b"x" * 1_000_000)
            heard = wire.hear()
        assert (heard.status, words in heard.body, heard.reset) == (413, True, False)


def test_a_body_that_the_address_takes_arrives(behind: tuple[Running, int]) -> None:
    _, port = behind
    with Wire(port) as wire:
        wire.send(head("POST", PUSH, Connection="close", Content_Length=20_000_000))
        for _ in range(20):
            wire.send(b"x" * 1_000_000)
        assert wire.hear().body == b"20000000"


def test_instances_share_the_requests_and_one_that_has_ended_is_left_out(tmp_path: Path) -> None:
    first, second = Running(Site()), Running(Site())
    try:
        with proxy(tmp_path, first, second) as port:
            for _ in range(4):
                assert_answers(port)
            assert first.site.heads
            assert second.site.heads
            first.close()
            for _ in range(4):
                assert_answers(port)
    finally:
        second.close()


def test_what_a_client_claims_about_itself_ends_there(behind: tuple[Running, int]) -> None:
    running, port = behind
    claims = {"X_Forwarded_For": "10.1.1.1", "X_Forwarded_Proto": "https", "X_Forwarded_Host": "evil", "Forwarded": "x"}
    asked(port, head("GET", "/", Connection="close", **claims))
    heard = running.site.heads[-1]
    assert (heard["HTTP_X_FORWARDED_FOR"], heard["HTTP_X_FORWARDED_PROTO"]) == ("127.0.0.1", "http")
    assert not {"HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED"} & set(heard)
