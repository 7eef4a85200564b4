"""Wherever files are sent, one that is none of ours is told as what it is, with how one of ours looks there.

And labels that are `nan` or empty are pages in no cluster, which is noted, wherever clusterings are sent.
"""

from __future__ import annotations

import io
import json
import pickle
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.collections import streams
from annotations.models import Collection
from qc4.cli import main
from qc4.io import write_gold
from tests.fixtures.pages import Visit
from tests.page_text import flat
from tests.qc4.io.format_examples import packed
from tests.samples import streams as stream_samples
from tests.samples.documents import saturn


def array() -> bytes:
    target = io.BytesIO()
    np.save(target, np.zeros((2, 2)))
    return target.getvalue()


FILES = {
    "clusters as a dict": json.dumps({"cars": ["p1", "p2"], "rings": ["p3"]}).encode(),
    "a PNG image": b"\x89PNG\r\n\x1a\n\x00\x00",
    "a PDF document": b"%PDF-1.7\n",
    "a Word file": packed("[Content_Types].xml", "word/document.xml"),
    "an Excel file": packed("[Content_Types].xml", "xl/workbook.xml"),
    "an archive inside the archive": packed("inner.zip", content=packed("a.csv")),
    "an HTML page": b"<!DOCTYPE html><html><body>Sign in</body></html>",
    "an empty file": b"",
    "UTF-16 text": "query,page,label\nsaturn,p1,x\n".encode("utf-16"),
    "a Parquet file": b"PAR1\x15\x04",
    "a Python pickle": pickle.dumps({"cars": ["p1"]}),
    "a NumPy array": array(),
}


class Site(NamedTuple):
    """Where files are sent."""

    client: Client
    owner: User
    slug: str
    folder: Path
    capsys: pytest.CaptureFixture[str]


def form(page: str, field: str = "file", /, **more: str) -> Callable[[Site, bytes], str]:
    """A page of the collection, or of all."""

    def send(site: Site, content: bytes) -> str:
        args = [] if page == "import" else [site.slug, *(["mercury"] if page == "stream-submit" else [])]
        sent = {field: SimpleUploadedFile("sent", content), **more}
        answer = site.client.post(reverse(page, args=args), sent).content.decode()
        told = answer.partition('<ul class="problems">')[2].partition("</ul>")[0]
        return flat(unescape(re.sub(r"<[^>]+>", "", told)))

    return send


def program(place: str) -> Callable[[Site, bytes], str]:
    """An address of the API, below that of the collection."""

    def send(site: Site, content: bytes) -> str:
        address = f"/api/v1/collections/{site.slug}/{place}"
        answer = site.client.post(address, {"file": SimpleUploadedFile("sent", content)})
        assert answer.status_code == 400, answer.content
        return "\n".join(" ".join(map(str, one.values())) for one in answer.json()["error"]["problems"])

    return send


def command(*arguments: str) -> Callable[[Site, bytes], str]:
    """A command of `manage.py`; {} stands for the file."""

    def send(site: Site, content: bytes) -> str:
        (site.folder / "sent").write_bytes(content)
        given = [one.format(file=site.folder / "sent", slug=site.slug) for one in arguments]
        with pytest.raises(CommandError) as refused:
            call_command(*given, "--user", "owner")
        return str(refused.value)

    return send


def engine(*arguments: str) -> Callable[[Site, bytes], str]:
    """A command of `qc4`."""

    def send(site: Site, content: bytes) -> str:
        (site.folder / "sent").write_bytes(content)
        (site.folder / "gold").write_bytes(write_gold(saturn()))
        assert main([one.format(file=site.folder / "sent", gold=site.folder / "gold") for one in arguments]) == 2
        return site.capsys.readouterr().err

    return send


CLUSTERING, GOLD, STREAM = '"qc4-clustering/1"', '"qc4-gold/1"', '"qc4-stream/1"'
SNAPSHOTS = '"qc4-stream-clustering/1"'
TABLES = {CLUSTERING: "query,page,cluster", GOLD: "query,id,title,url", STREAM: "time,class", SNAPSHOTS: "time,cluster"}
PLACES: dict[str, tuple[str, Callable[[Site, bytes], str]]] = {
    "the page to submit": (CLUSTERING, form("submit", algorithm="A")),
    "the page of new collections": (GOLD, form("import", "files", name="New", completion="strict")),
    "the page to publish gold": (GOLD, form("gold-publish", "files", completion="strict")),
    "the page of streams": (STREAM, form("streams", key="")),
    "the page to submit to a stream": (SNAPSHOTS, form("stream-submit", horizon="last", last="7", k="2", tau="0.5")),
    "submissions by the API": (CLUSTERING, program("submissions")),
    "gold by the API": (GOLD, program("gold-versions")),
    "streams by the API": (STREAM, program("streams")),
    "submissions to a stream by the API": (SNAPSHOTS, program("streams/mercury/submissions")),
    "manage.py submit": (CLUSTERING, command("submit", "{slug}", "{file}", "--algorithm", "A")),
    "manage.py import_collection": (GOLD, command("import_collection", "{file}", "--name", "New")),
    "manage.py import_stream": (STREAM, command("import_stream", "{slug}", "{file}")),
    "qc4 score": (CLUSTERING, engine("score", "{gold}", "{file}")),
    "qc4 score, gold": (GOLD, engine("score", "{file}", "{gold}")),
    "qc4 check": (GOLD, engine("check", "{file}")),
    "qc4 pac-mdl": (CLUSTERING, engine("pac-mdl", "{gold}", "{file}")),
}
OTHERWISE = {"an archive inside the archive": ("a ZIP",)}
"""Where one file alone is read."""
SAVED = {"UTF-16 text": "encoding='utf-8'", "an archive inside the archive": "Unpack it"}
"""What is right but for how it is written needs no example."""


@pytest.fixture
def site(visit: Visit, owner: User, collection: Collection, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Site:
    streams.add_stream(collection, streams.read_stream_file(stream_samples.STREAM, "mercury.csv"), owner)
    return Site(visit(owner), owner, collection.slug, tmp_path, capsys)


@pytest.mark.parametrize("place", PLACES)
def test_foreign_files_are_told_as_what_they_are(site: Site, place: str) -> None:
    ours, send = PLACES[place]
    for what, content in FILES.items():
        told = send(site, content)
        others = OTHERWISE.get(what, ())
        assert any(words in told for words in (what, *others)), (what, told)
        shown = (SAVED.get(what, f'{{"format": {ours}'), f'{{"format": {ours}', TABLES[ours])
        assert any(words in told for words in shown), (what, told)


LABELS = b"query,page,label\nsaturn,p1,a\nsaturn,p2,nan\nsaturn,p3,\nsaturn,p4,a\n"


def submitted(site: Site) -> str:
    (site.folder / "sent").write_bytes(LABELS)
    told = io.StringIO()
    given = ("submit", site.slug, str(site.folder / "sent"), "--algorithm", "A", "--user", "owner")
    call_command(*given, stdout=io.StringIO(), stderr=told)
    return told.getvalue()


def pushed(site: Site) -> str:
    address = f"/api/v1/collections/{site.slug}/submissions"
    sent = {"file": SimpleUploadedFile("sent.csv", LABELS), "algorithm": "A"}
    return json.dumps(site.client.post(address, sent).json())


def measured(*arguments: str) -> Callable[[Site], str]:
    def send(site: Site) -> str:
        (site.folder / "sent.csv").write_bytes(LABELS)
        (site.folder / "gold").write_bytes(write_gold(saturn()))
        assert main([one.format(file=site.folder / "sent.csv", gold=site.folder / "gold") for one in arguments]) == 0
        return site.capsys.readouterr().err

    return send


@pytest.mark.parametrize(
    "send",
    [
        lambda site: form("submit", algorithm="A")(site, LABELS),
        pushed,
        submitted,
        measured("score", "{gold}", "{file}", "-m", "ari"),
        measured("calibrate", "{gold}", "{file}", "-m", "ari", "--draws", "9"),
        measured("what-if", "{gold}", "{file}"),
        measured("alike", "{file}", "{file}", "-m", "ari"),
    ],
    ids=["page", "API", "manage.py submit", "qc4 score", "qc4 calibrate", "qc4 what-if", "qc4 alike"],
)
def test_labels_that_are_nan_are_noted(site: Site, send: Callable[[Site], str]) -> None:
    told = send(site)
    assert "the label 'nan' on 1 page" in told
    assert "no label on 1 page" in told
