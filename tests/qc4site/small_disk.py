"""A disk of a few megabytes that a test fills or makes read-only: nobody else sees it, and nobody needs to be root.

It is a tmpfs in a user and mount namespace of its own, so it takes Linux, util-linux, and a system that lets its users
make such namespaces (some containers and hardened distributions do not). What works on it is started in there.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.waiting import wait_for
from tests.work.sandbox import demanded

NAMESPACES = "namespaces"
_NEW = ("unshare", "--user", "--map-root-user", "--mount")
_TRUNCATE = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA wal_checkpoint(TRUNCATE)')"


class SmallDisk:
    """What is written to ``folder`` by programs that were started with `inside`."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.folder = folder
        folder.mkdir()
        mount = f"mount -t tmpfs -o size={megabytes}m none '{folder}' && echo ready && exec cat"
        self._holder = subprocess.Popen([*_NEW, "sh", "-c", mount], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._holder.stdout is not None
        assert self._holder.stdout.readline() == b"ready\n"

    @property
    def seen(self) -> Path:
        """The folder, as who is not in there can reach it."""
        return Path(f"/proc/{self._holder.pid}/root{self.folder}")

    def inside(self, *command: str) -> list[str]:
        """The command line that runs this in there; it ends with the test."""
        there = ("nsenter", f"--target={self._holder.pid}", "--user", "--mount", "--preserve-credentials")
        return [*there, f"--wd={ROOT}", "setpriv", "--pdeathsig", "KILL", *command]

    def run(self, *command: str, **environment: str) -> str:
        """What a command in there says; it must end well."""
        done = subprocess.run(
            self.inside(*command), env=os.environ | environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def fill(self) -> None:
        """Not a byte is left; also not in what the database has written and may use again."""
        self.run(sys.executable, "-c", _TRUNCATE, str(self.folder / "qc4.sqlite3"))
        for size in (65_536, 1):
            with (self.seen / "ballast").open("ab", buffering=0) as ballast, _until_no_space_is_left():
                while ballast.write(b"x" * size):
                    pass

    def free(self) -> None:
        (self.seen / "ballast").unlink()

    def forbid_writing(self) -> None:
        """What is opened from now on cannot be written; waits for a moment when nobody has a file open for writing."""
        self.run("mount", "--bind", str(self.folder), str(self.folder))
        wait_for(self._is_read_only, "nobody is writing")

    def _is_read_only(self) -> bool:
        try:
            self.run("mount", "-o", "remount,bind,ro", str(self.folder))
        except AssertionError as error:
            if "busy" in str(error):
                return False
            raise
        return True

    def allow_writing(self) -> None:
        self.run("umount", "--lazy", str(self.folder))

    def close(self) -> None:
        self._holder.kill()
        self._holder.wait()


@contextmanager
def _until_no_space_is_left() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[SmallDisk]:
    """A disk for a test; skips where the system makes none, or fails where ``QC4_REQUIRE_SERVICES`` wants it."""
    try:
        trial = subprocess.run([*_NEW, "true"], capture_output=True, text=True, check=False)
        reason = trial.stderr.strip() if trial.returncode else ""
    except OSError as error:
        reason = str(error)
    if reason:
        (pytest.fail if demanded(NAMESPACES) else pytest.skip)(f"no disk of its own can be made here: {reason}")
    disk = SmallDisk(folder, megabytes)
    try:
        yield disk
    finally:
        disk.close()
