"""Messages of the broker of files: whole or not there, in order, none lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection
from kombu.exceptions import ChannelError

from qc4site.broker import celery_settings

QUEUE = "x.interactive"


def channel(folder: Path) -> Any:
    """As a worker or a page opens it."""
    found = celery_settings("filesystem://localhost", folder=folder, prefix="x.", queues=["interactive"])
    options = {
        "transport": found["CELERY_BROKER_TRANSPORT"],
        "transport_options": found["CELERY_BROKER_TRANSPORT_OPTIONS"],
    }
    return Connection(found["CELERY_BROKER_URL"], **options).channel()


def test_a_message_that_is_being_written_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer, reader, looked = channel(tmp_path), channel(tmp_path), []
    write = Path.write_text

    def write_and_look(path: Path, text: str, **options: Any) -> int:
        for part in ("", text[:5], text):
            write(path, part, **options)
            with pytest.raises(Empty):
                reader._get(QUEUE)
            looked.append(reader._size(QUEUE))
        return len(text)

    monkeypatch.setattr(Path, "write_text", write_and_look)
    writer._put(QUEUE, {"run": 7})
    assert looked == [0, 0, 0]
    assert (reader._size(QUEUE), reader._get(QUEUE), reader._size(QUEUE)) == (1, {"run": 7}, 0)


def test_of_many_at_once_each_comes_whole_and_once(tmp_path: Path) -> None:
    text = "x" * 50_000

    def put(number: int) -> None:
        channel(tmp_path)._put(QUEUE, {"number": number, "text": text})

    reader, found = channel(tmp_path), []
    with ThreadPoolExecutor(4) as pool:
        written = [pool.submit(put, number) for number in range(200)]
        while len(found) < len(written):
            try:
                message = reader._get(QUEUE)
            except Empty:
                if all(one.done() for one in written) and not reader._size(QUEUE):
                    break
            else:
                assert message["text"] == text
                found.append(message["number"])
    assert sorted(found) == list(range(200))
    assert list((tmp_path / "messages").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    writer = channel(tmp_path)
    (tmp_path / "messages").rmdir()
    with pytest.raises(ChannelError, match="Cannot add file"):
        writer._put(QUEUE, {"run": 7})


def test_what_could_not_be_finished_is_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, target: Path) -> Path:
        raise OSError("no space is left")

    writer = channel(tmp_path)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(ChannelError):
        writer._put(QUEUE, {"run": 7})
    assert list((tmp_path / "messages").iterdir()) == []
