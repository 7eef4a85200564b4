"""Processes that end with the one that started them."""

from __future__ import annotations

import ctypes
import os
import signal
import sys


def end_with_parent(number: int = signal.SIGTERM, parent: int = 0) -> None:
    """Let the system send this process a signal when its parent dies, on Linux, so that nothing lives on alone.

    Args:
        parent: the parent's process id; if it died before this call, this process gets the signal now.
    """
    if sys.platform != "linux":
        return
    parent_death_signal = 1
    ctypes.CDLL(None).prctl(parent_death_signal, number)
    if parent and os.getppid() != parent:
        os.kill(os.getpid(), number)
