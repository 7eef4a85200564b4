"""The host that is shown is the host a browser goes to; tests/scripts/hosts.test.js asks the browser's language."""

from __future__ import annotations

import json

import pytest

from annotations.templatetags.site import host, web_address
from common.web_urls import ascii_host, host_of
from tests.paths import ROOT

CASES = json.loads((ROOT / "tests" / "scripts" / "hosts.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("url", "shown", "for_machines"), CASES)
def test_the_host_is_shown_as_it_is(url: str, shown: str, for_machines: str) -> None:
    assert ascii_host(url) == for_machines
    assert host_of(url) == host(url) == shown
    assert bool(web_address(url)) == bool(shown)
