"""Uploads: kept by content, never larger than the limit, forgotten when nobody uses them."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from accounts.models import User
from evaluation.models import Upload
from evaluation.uploads import services as uploads
from qc4.io import read_collection
from qc4.problems import InputError

MEBIBYTE = 1024 * 1024


class Endless:
    """A stream that never ends."""

    def read(self, size: int, /) -> bytes:
        return b"x" * size


def test_bytes_are_kept_by_their_hash(owner: User) -> None:
    upload = uploads.store(io.BytesIO(b"hello"), "a.json", owner)
    with uploads.opened(upload) as file:
        assert file.read() == b"hello"
    assert (upload.name, upload.size) == ("a.json", 5)
    assert uploads.path_of(upload).name == upload.sha256


def test_a_stream_over_the_limit_is_cut_off_and_leaves_nothing(owner: User) -> None:
    before = set(settings.UPLOAD_DIR.iterdir())
    with pytest.raises(InputError, match="file_bytes"):
        uploads.store(Endless(), "huge.json", owner)
    assert set(settings.UPLOAD_DIR.iterdir()) == before
    assert not Upload.objects.exists()


def test_an_empty_file_is_refused(owner: User) -> None:
    with pytest.raises(InputError, match="empty file"):
        uploads.store(io.BytesIO(b""), "empty.json", owner)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("../../etc/passwd", "passwd"), (r"C:\x\y.csv", "y.csv"), ("a\u202egpj.exe\n", "agpj.exe"), ("", "upload")],
)
def test_names_are_only_names(owner: User, name: str, shown: str) -> None:
    assert uploads.store(io.BytesIO(b"x"), name, owner).name == shown


def test_a_folder_is_kept_as_a_zip_of_the_same_bytes(owner: User, tmp_path: Path) -> None:
    folder = tmp_path / "two files"
    (folder / "sub").mkdir(parents=True)
    (folder / "b.txt").write_text("b")
    (folder / "sub" / "a.txt").write_text("a")
    first, second = uploads.store_path(folder, owner), uploads.store_path(folder, owner)
    assert first.sha256 == second.sha256
    assert first.name == "two files.zip"
    with uploads.opened(first) as file, zipfile.ZipFile(file) as archive:
        assert archive.namelist() == ["b.txt", "sub/a.txt"]


def test_a_missing_path_says_so(owner: User, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        uploads.store_path(tmp_path / "nothing.json", owner)


def test_lost_bytes_are_told(owner: User) -> None:
    upload = uploads.store(io.BytesIO(b"going"), "a.json", owner)
    uploads.path_of(upload).unlink()
    with pytest.raises(InputError, match="Upload it again"), uploads.opened(upload):
        pass


def test_bytes_stay_while_another_upload_has_them(owner: User, django_capture_on_commit_callbacks: object) -> None:
    first = uploads.store(io.BytesIO(b"shared"), "a.json", owner)
    second = uploads.store(io.BytesIO(b"shared"), "b.json", owner)
    path = uploads.path_of(first)
    with django_capture_on_commit_callbacks(execute=True):
        uploads.delete_unused(first)
    assert path.exists()
    with django_capture_on_commit_callbacks(execute=True):
        uploads.delete_unused(second)
    assert not path.exists()


def test_uploads_that_were_never_used_are_forgotten_after_a_day(owner: User) -> None:
    old = uploads.store(io.BytesIO(b"old"), "old.json", owner)
    Upload.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=2))
    new = uploads.store(io.BytesIO(b"new"), "new.json", owner)
    assert list(Upload.objects.all()) == [new]


def test_a_kept_folder_can_be_read_again(owner: User, tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_text("never")
    (tmp_path / "monotonous.csv").write_text("id,title\n" + "".join(f"p{n},{'a' * 2000}\n" for n in range(2000)))
    upload = uploads.store_path(tmp_path, owner)
    with uploads.opened(upload) as file:
        assert len(read_collection(file, name=upload.name).documents[0].pages) == 2000
    with zipfile.ZipFile(uploads.path_of(upload)) as archive:
        assert archive.namelist() == ["monotonous.csv"]
