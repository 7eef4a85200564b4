"""Work in a process of its own, under limits that the system holds: memory and processor time.

A budget tells what a file may hold; what that costs in the worst case is more than a web process should bear while
others wait. So readers of large files run apart: what goes wrong there ends there, and is told in a sentence.
"""

from __future__ import annotations

import os
import pickle
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from common.processes import end_with_parent
from qc4.problems import InputError, Problem
from qc4.wording import counted

Result = TypeVar("Result")
_ROOT = Path(__file__).resolve().parents[1]
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "LD_LIBRARY_PATH")
_FIX = "Split it into smaller files."
PATIENCE = 3
"""A process may run for this many times its allowed processor time, because other processes may slow it down."""


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What work apart may cost.

    Attributes:
        seconds: of processor time.
        bytes: of memory beyond what the process takes by itself.
        answer_bytes: of what it hands back.
    """

    seconds: int
    bytes: int
    answer_bytes: int


def call_apart(function: Callable[..., Result], *arguments: Any, ceiling: Ceiling, where: str, **named: Any) -> Result:
    """What a function returns, called in a process of its own.

    Args:
        function: of a module, found there by its name; it, its arguments and what it returns are pickled.
        where: what messages call the input.

    Raises:
        InputError: as the function; ``too-costly`` where it needs more than the ceiling.
        RuntimeError: it failed otherwise: a fault of ours.
    """
    task = pickle.dumps((os.getpid(), ceiling, f"{function.__module__}:{function.__qualname__}", arguments, named))
    command = [sys.executable, "-m", "common.sandbox"]
    try:
        done = subprocess.run(  # noqa: S603  # our own module, no shell
            command,
            input=task,
            capture_output=True,
            check=False,
            cwd=_ROOT,
            env=_environment(),
            timeout=PATIENCE * ceiling.seconds,
        )
    except subprocess.TimeoutExpired:  # the machine gives it no processor time, or no memory
        most = counted(PATIENCE * ceiling.seconds, "second")
        raise _too_dear(where, f"no result after {most}", "a smaller file, or a machine with less to do") from None
    if done.returncode == -signal.SIGXCPU:
        most = counted(ceiling.seconds, "second")
        raise _too_dear(where, f"more than {most} of work", f"at most {most}")
    if done.returncode in (-signal.SIGKILL, -signal.SIGABRT):  # where the system itself was out of memory
        raise _too_dear(where, "content that needs more memory than there is", "a smaller file")
    if done.returncode:
        raise RuntimeError(f"work apart failed: {done.stderr.decode(errors='replace')[-2000:]}")
    kind, value = pickle.loads(done.stdout)  # noqa: S301  # from our own process
    if kind == "memory":
        most = f"{ceiling.bytes // 2**20:,} MiB of memory"
        raise _too_dear(where, f"content that needs more than {most}", f"at most {most}")
    if kind == "answer":
        found = f"content of {value // 2**20:,} MiB when it is read"
        raise _too_dear(where, found, f"at most {ceiling.answer_bytes // 2**20:,} MiB")
    if kind == "refused":
        raise value
    result: Result = value
    return result


def _environment() -> dict[str, str]:
    """No secrets of the site; one thread each, as libraries reserve memory for every thread they may start."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def _too_dear(where: str, found: str, expected: str) -> InputError:
    return InputError([Problem("too-costly", where, found, expected, _FIX)])


def _work(task: bytes) -> bytes:
    """The answer to a task: what kind it is, and the value."""
    parent, ceiling, name, arguments, named = pickle.loads(task)  # noqa: S301  # from our own process
    end_with_parent(signal.SIGKILL, parent)
    module, _, qualified = name.partition(":")
    function = getattr(import_module(module), qualified)
    _limit(ceiling)
    try:
        answer = pickle.dumps(("done", function(*arguments, **named)), protocol=pickle.HIGHEST_PROTOCOL)
    except InputError as error:
        return pickle.dumps(("refused", error))
    except MemoryError:
        return pickle.dumps(("memory", None))
    if len(answer) > ceiling.answer_bytes:
        return pickle.dumps(("answer", len(answer)))
    return answer


def _limit(ceiling: Ceiling) -> None:
    """Hold this process to the ceiling, from what it has taken by now."""
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() if _HAS_PROC else 2**30
    resource.setrlimit(resource.RLIMIT_AS, (taken + ceiling.bytes,) * 2)
    used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (used + ceiling.seconds, used + ceiling.seconds + 1))


_HAS_PROC = Path("/proc/self/statm").exists()

if __name__ == "__main__":
    answer = _work(sys.stdin.buffer.read())
    sys.stdout.buffer.write(answer)
