"""Processes that end when their parent process dies."""

from __future__ import annotations

import ctypes
import os
import signal
import sys


def end_with_parent(number: int = signal.SIGTERM, parent: int = 0) -> None:
    """Have Linux send this process a signal when its parent dies. On other systems, do nothing.

    Args:
        number: the number of the signal.
        parent: the parent's process id. If the parent died before this call, this process gets the signal now.
    """
    if sys.platform != "linux":
        return
    parent_death_signal = 1
    ctypes.CDLL(None).prctl(parent_death_signal, number)
    if parent and os.getppid() != parent:
        os.kill(os.getpid(), number)
